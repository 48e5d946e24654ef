package dev.drydock.kube;

/** Names of objects that are made of other names, and may become too long. */
public final class ObjectName {
  /** The limit of Kubernetes for most kinds. */
  public static final int LONGEST = 253;

  private ObjectName() {}

  /** A name as it is; a longer one is cut and ends with a hash of the whole. */
  public static String of(String name) {
    return of(name, name, "");
  }

  /**
   * As {@link #of(String)}, for a name with an end that is never cut.
   *
   * @param whole what the hash is of
   */
  public static String of(String name, String whole, String end) {
    int longest = LONGEST - end.length();
    return (name.length() <= longest ? name : cut(name, whole, longest)) + end;
  }

  static String cut(String name, String whole, int longest) {
    String mark = "-%08x".formatted(whole.hashCode());
    return name.substring(0, longest - mark.length()).replaceAll("[.-]+$", "") + mark;
  }
}
