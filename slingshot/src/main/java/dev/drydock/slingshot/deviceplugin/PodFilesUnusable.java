package dev.drydock.slingshot.deviceplugin;

import dev.drydock.kube.ExpectedFailure;

/** The kubelet's checkpoint cannot be read, or the files of the pods cannot be written. */
final class PodFilesUnusable extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  PodFilesUnusable(String line) {
    super(line);
  }
}
