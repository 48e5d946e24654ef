package dev.drydock.slingshot.driver.decide;

/** Why a driver could not be installed or loaded. */
public enum FailureReason {
  DownloadFailed,
  /** The archive cannot be read, or would write outside of its folder. */
  ArchiveRefused,
  KernelHeadersMissing,
  /** The cache of prebuilt modules has none for this kernel. */
  NoPrebuiltForKernel,
  BuildFailed,
  /** The tool succeeded, and the file in place is not the one that was built. */
  NotInPlace,
  LoadFailed,
  /** A program of the host is missing or does not answer. */
  HostToolFailed,
  /** Another build is under way on this node. */
  Busy,
  /** Nothing on this node says how to get this version. */
  NoSuchVersion,
  /** The host has no such driver, and it is not to be installed. */
  NotPreinstalled
}
