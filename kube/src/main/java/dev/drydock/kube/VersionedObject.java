package dev.drydock.kube;

/** A value parsed from an API object that it keeps. */
public interface VersionedObject extends Versioned {
  ApiObject object();

  @Override
  default String uid() {
    return object().uid();
  }

  @Override
  default String version() {
    return object().version();
  }
}
