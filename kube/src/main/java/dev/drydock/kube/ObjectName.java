package dev.drydock.kube;

/** Names of objects that are made of other names, and may become too long. */
public final class ObjectName {
  /** The limit of Kubernetes for most kinds. */
  public static final int LONGEST = 253;

  private ObjectName() {}

  /** A name as it is; a longer one is cut and ends with a hash of the whole. */
  public static String of(String name) {
    if (name.length() <= LONGEST) {
      return name;
    }
    String mark = "-%08x".formatted(name.hashCode());
    return name.substring(0, LONGEST - mark.length()).replaceAll("[.-]+$", "") + mark;
  }
}
