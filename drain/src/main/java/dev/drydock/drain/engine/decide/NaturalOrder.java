package dev.drydock.drain.engine.decide;

import java.util.Comparator;

/**
 * Compares names with numbers as people sort them: node-2 before node-10. Different names are never
 * equal.
 */
public enum NaturalOrder implements Comparator<String> {
  INSTANCE;

  @Override
  public int compare(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      if (isDigit(a.charAt(i)) && isDigit(b.charAt(j))) {
        int endA = endOfDigits(a, i);
        int endB = endOfDigits(b, j);
        int numbers = compareNumbers(a.substring(i, endA), b.substring(j, endB));
        if (numbers != 0) {
          return numbers;
        }
        i = endA;
        j = endB;
      } else {
        int characters = Character.compare(a.charAt(i), b.charAt(j));
        if (characters != 0) {
          return characters;
        }
        i++;
        j++;
      }
    }
    int rest = Integer.compare(a.length() - i, b.length() - j);
    // node-1 and node-01 are equal so far
    return rest != 0 ? rest : a.compareTo(b);
  }

  private static int compareNumbers(String a, String b) {
    String left = withoutZeros(a);
    String right = withoutZeros(b);
    int lengths = Integer.compare(left.length(), right.length());
    return lengths != 0 ? lengths : left.compareTo(right);
  }

  private static String withoutZeros(String digits) {
    int start = 0;
    while (start < digits.length() && digits.charAt(start) == '0') {
      start++;
    }
    return digits.substring(start);
  }

  private static int endOfDigits(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
