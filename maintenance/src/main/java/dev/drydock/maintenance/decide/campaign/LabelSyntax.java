package dev.drydock.maintenance.decide.campaign;

import java.util.regex.Pattern;

/** The syntax of label keys and values. */
final class LabelSyntax {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern DOMAIN =
      Pattern.compile(
          "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private LabelSyntax() {}

  /**
   * Rejects an invalid label key.
   *
   * @throws IllegalArgumentException with one line for the user, without the field's name
   */
  static void checkKey(String key) {
    int slash = key.indexOf('/');
    boolean domain = slash < 0 || DOMAIN.matcher(key.substring(0, slash)).matches();
    if (!domain || !NAME.matcher(key.substring(slash + 1)).matches()) {
      throw new IllegalArgumentException(
          "\"" + key + "\" is not a label name; write it like topology.kubernetes.io/zone");
    }
  }

  /** Rejects an invalid label value. */
  static void checkValue(String value) {
    if (!value.isEmpty() && !NAME.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "\""
              + value
              + "\" is not a label value; allowed are up to 63 letters, digits, '-', '_' and '.'");
    }
  }
}
