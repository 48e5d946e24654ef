package dev.drydock.slingshot.deviceplugin;

import dev.drydock.kube.ExpectedFailure;

/** The plugin's socket cannot be made, e.g. because the kubelet's folder is read-only. */
final class SocketUnusable extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  SocketUnusable(String line) {
    super(line);
  }
}
