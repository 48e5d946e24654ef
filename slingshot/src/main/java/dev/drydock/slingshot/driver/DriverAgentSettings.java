package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.driver.decide.DriverTarget;
import java.time.Duration;

/**
 * What a driver agent has to know.
 *
 * @param namespace of the operator, whose maintenances count
 * @param podUid of the agent's own pod; empty if it runs by hand
 * @param wanted the driver that the node should have
 * @param poll how often devices are looked at
 * @param switchMask of the switch's part of addresses; 0 for the usual one
 * @param labels whether the Node gets labels
 * @param handlersExpected whether a retry handler has to run for every NIC
 */
public record DriverAgentSettings(
    String node,
    String namespace,
    String podUid,
    DriverTarget wanted,
    Duration poll,
    int switchMask,
    boolean labels,
    boolean handlersExpected) {
  public DriverAgentSettings in(String other) {
    return new DriverAgentSettings(
        node, other, podUid, wanted, poll, switchMask, labels, handlersExpected);
  }
}
