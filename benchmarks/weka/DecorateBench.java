// SPDX-License-Identifier: BSD-3-Clause

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import weka.classifiers.meta.Decorate;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Times Decorate with its own J48 on one ARFF file, whose last attribute is the class. Each line of
 * standard input holds the options of one committee; the answer is one line with the nanoseconds of
 * processor time that the building thread used, and the number of members. The collector and the
 * just-in-time compiler run in threads of their own and are not counted.
 */
public final class DecorateBench {
  private static final String TITLE = "J48 pruned tree";

  private DecorateBench() {}

  public static void main(String[] args) throws Exception {
    Instances data;
    try (BufferedReader reader = Files.newBufferedReader(Path.of(args[0]))) {
      data = new Instances(reader);
    }
    data.setClassIndex(data.numAttributes() - 1);

    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
    for (String options = requests.readLine(); options != null; options = requests.readLine()) {
      Decorate committee = new Decorate();
      committee.setOptions(Utils.splitOptions(options));
      System.gc();
      long start = clock.getCurrentThreadCpuTime();
      committee.buildClassifier(data);
      long nanoseconds = clock.getCurrentThreadCpuTime() - start;
      int members = committee.toString().split(TITLE, -1).length - 1;
      System.out.println(nanoseconds + " " + members);
    }
  }
}
