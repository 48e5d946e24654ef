package dev.drydock.kube;

/** A value parsed from one version of an API object. */
public interface Versioned {
  String uid();

  /** The resourceVersion. */
  String version();

  /** Also true for another object of the same name. */
  default boolean isNewerThan(Versioned other) {
    return !uid().equals(other.uid()) || ResourceVersion.isNewer(version(), other.version());
  }
}
