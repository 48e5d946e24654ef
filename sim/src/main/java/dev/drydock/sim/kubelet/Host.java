package dev.drydock.sim.kubelet;

/** The state of a node that its pods depend on. */
record Host(State state, String bootId, String address) {
  enum State {
    /** The kubelet works. */
    UP,
    /** The machine is down: containers are gone and the kubelet starts again later. */
    REBOOTING,
    /** The kubelet does not respond; the state of its containers is unknown. */
    SILENT
  }
}
