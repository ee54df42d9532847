// SPDX-License-Identifier: BSD-3-Clause

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import weka.classifiers.bayes.AODE;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Times AODE on one ARFF file of nominal attributes, whose last one is the class. Each line of
 * standard input is "fit" or "predict"; the answer is one line with the nanoseconds of processor
 * time that this thread used to build the classifier, or to find the class distributions of all
 * rows, and the number of rows whose class is the most probable one (0 for "fit"). The collector
 * and the just-in-time compiler run in threads of their own and are not counted.
 */
public final class AODEBench {
  private AODEBench() {}

  public static void main(String[] args) throws Exception {
    Instances data;
    try (BufferedReader reader = Files.newBufferedReader(Path.of(args[0]))) {
      data = new Instances(reader);
    }
    data.setClassIndex(data.numAttributes() - 1);

    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
    AODE model = build(data);
    for (String request = requests.readLine(); request != null; request = requests.readLine()) {
      System.gc();
      long correct = 0;
      long start = clock.getCurrentThreadCpuTime();
      if (request.equals("fit")) {
        model = build(data);
      } else {
        correct = countCorrect(model, data);
      }
      long nanoseconds = clock.getCurrentThreadCpuTime() - start;
      System.out.println(nanoseconds + " " + correct);
    }
  }

  private static AODE build(Instances data) throws Exception {
    AODE model = new AODE();
    model.setOptions(Utils.splitOptions("-F 1"));
    model.buildClassifier(data);
    return model;
  }

  private static long countCorrect(AODE model, Instances data) throws Exception {
    long correct = 0;
    for (int row = 0; row < data.numInstances(); row++) {
      double[] distribution = model.distributionForInstance(data.instance(row));
      if (Utils.maxIndex(distribution) == (int) data.instance(row).classValue()) {
        correct++;
      }
    }
    return correct;
  }
}
