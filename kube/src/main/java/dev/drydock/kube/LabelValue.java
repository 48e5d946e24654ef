package dev.drydock.kube;

/** Values of labels, which are for people and selectors and must be short. */
public final class LabelValue {
  private static final int LONGEST = 63;

  private LabelValue() {}

  /** A name as a label's value: a longer one is cut and ends with a hash of the whole. */
  public static String of(String name) {
    return name.length() <= LONGEST ? name : ObjectName.cut(name, name, LONGEST);
  }
}
