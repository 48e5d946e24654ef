package dev.drydock.contracts;

import java.util.regex.Pattern;

/** The syntax of label keys and values. */
public final class LabelSyntax {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern DOMAIN =
      Pattern.compile(
          "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private LabelSyntax() {}

  public static boolean isKey(String key) {
    int slash = key.indexOf('/');
    return NAME.matcher(key.substring(slash + 1)).matches()
        && (slash < 0 || DOMAIN.matcher(key.substring(0, slash)).matches());
  }

  public static boolean isValue(String value) {
    return value.isEmpty() || NAME.matcher(value).matches();
  }

  /**
   * Rejects an invalid label key.
   *
   * @throws IllegalArgumentException with one line for the user, without the field's name
   */
  public static void checkKey(String key) {
    if (!isKey(key)) {
      throw new IllegalArgumentException(
          "\"" + key + "\" is not a label name; write it like topology.kubernetes.io/zone");
    }
  }

  /** Rejects an invalid label value. */
  public static void checkValue(String value) {
    if (!isValue(value)) {
      throw new IllegalArgumentException(
          "\""
              + value
              + "\" is not a label value; allowed are up to 63 letters, digits, '-', '_' and '.'");
    }
  }
}
