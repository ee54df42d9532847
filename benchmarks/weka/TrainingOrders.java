// SPDX-License-Identifier: BSD-3-Clause

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Prints the training rows of stratified ten-fold cross-validations, each run shuffled by its own
 * seed (1, 2, ...), in the order of which the training sets of a learning curve are prefixes: all
 * classes advance alike. Arguments: an ARFF file, its class attribute, the number of runs. A line
 * is run, fold, and the numbers of the rows in the file, all counted from 0.
 */
public final class TrainingOrders {
  private static final int FOLDS = 10;

  private TrainingOrders() {}

  public static void main(String[] args) throws Exception {
    Instances data;
    try (BufferedReader reader = Files.newBufferedReader(Path.of(args[0]))) {
      data = new Instances(reader);
    }
    data.setClass(data.attribute(args[1]));
    for (int row = 0; row < data.numInstances(); row++) {
      data.instance(row).setWeight(row + 1); // a weight of 0 would not do as a mark
    }
    for (int run = 0; run < Integer.parseInt(args[2]); run++) {
      Random random = new Random(run + 1);
      Instances shuffled = new Instances(data);
      shuffled.randomize(random);
      shuffled.stratify(FOLDS);
      for (int fold = 0; fold < FOLDS; fold++) {
        Instances training = shuffled.trainCV(FOLDS, fold, random);
        StringBuilder line = new StringBuilder(run + " " + fold);
        for (int place : Utils.sort(progress(training))) {
          line.append(' ').append((int) training.instance(place).weight() - 1);
        }
        System.out.println(line);
      }
    }
  }

  /** How far within its class each row stands, from 0 to 1. */
  private static double[] progress(Instances training) {
    int[] sizes = new int[training.numClasses()];
    for (int row = 0; row < training.numInstances(); row++) {
      sizes[(int) training.instance(row).classValue()]++;
    }
    int[] seen = new int[sizes.length];
    double[] progress = new double[training.numInstances()];
    for (int row = 0; row < progress.length; row++) {
      int label = (int) training.instance(row).classValue();
      progress[row] = (seen[label] + 0.5) / sizes[label];
      seen[label]++;
    }
    return progress;
  }
}
