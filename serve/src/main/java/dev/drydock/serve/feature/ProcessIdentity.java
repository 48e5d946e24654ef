package dev.drydock.serve.feature;

import java.util.Map;
import java.util.UUID;

/** The name of a process in its Lease: in a cluster the pod's name, for people, and its UID. */
public final class ProcessIdentity {
  private ProcessIdentity() {}

  /**
   * A container that is restarted in its pod need not wait for its own Lease, because the process
   * before it has ended. Outside a pod each process has another identity.
   */
  public static String of(Map<String, String> environment) {
    String pod = environment.getOrDefault("POD_UID", "");
    return environment.getOrDefault("HOSTNAME", "drydock")
        + "_"
        + (pod.isEmpty() ? UUID.randomUUID().toString() : pod);
  }
}
