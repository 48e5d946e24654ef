package dev.drydock.slingshot.metrics.decide;

import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What was read of a node at one moment.
 *
 * @param nics empty if they could not be read
 * @param modules that are loaded
 * @param handlers by NIC; empty if nobody answered, or nobody was asked
 * @param handlersExpected whether somebody was asked
 */
public record NodeSample(
    Optional<List<Nic>> nics,
    Set<String> modules,
    Optional<Map<String, Handler>> handlers,
    boolean handlersExpected) {

  /** A NIC. */
  public record Nic(String name, String pciAddress, int numaNode, LinkState link) {}

  /**
   * The retry handler of a NIC.
   *
   * @param process its process ID; 0 if unknown
   * @param nacks raw; empty if it shows no statistics
   * @param timeouts raw
   */
  public record Handler(
      boolean running, long process, long restarts, OptionalLong nacks, OptionalLong timeouts) {}
}
