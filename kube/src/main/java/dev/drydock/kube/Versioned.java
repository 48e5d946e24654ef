package dev.drydock.kube;

/** Something that was read from an object of the API, in one of its versions. */
public interface Versioned {
  String uid();

  /** The resourceVersion. */
  String version();

  /** Also true if it is another object of the same name. */
  default boolean isNewerThan(Versioned other) {
    return !uid().equals(other.uid()) || ResourceVersion.isNewer(version(), other.version());
  }
}
