package dev.drydock.kube;

/** Compares resource versions, which are decimal numbers of any length. */
public final class ResourceVersion {
  private ResourceVersion() {}

  public static boolean isNewer(String version, String than) {
    return version.length() == than.length()
        ? version.compareTo(than) > 0
        : version.length() > than.length();
  }
}
