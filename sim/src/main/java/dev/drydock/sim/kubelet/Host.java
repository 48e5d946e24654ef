package dev.drydock.sim.kubelet;

/** What a pod's fate depends on in its node. */
record Host(State state, String bootId, String address) {
  enum State {
    /** The kubelet works. */
    UP,
    /** The machine is down: containers are gone and the kubelet starts again later. */
    REBOOTING,
    /** The kubelet says and does nothing; what becomes of the containers cannot be seen. */
    SILENT
  }
}
