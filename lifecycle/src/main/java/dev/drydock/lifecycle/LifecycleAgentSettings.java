package dev.drydock.lifecycle;

import dev.drydock.lifecycle.decide.SlaPolicy;
import dev.drydock.lifecycle.driver.DrainDriver;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.lifecycle.plugin.PluginServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How an agent works.
 *
 * @param cordNamespace where the andon cord is
 * @param identity of this process among those that want the node's Lease
 * @param driverNames the names it is known by; the first one names its hold
 * @param sla how long events may take, published in the transitions
 * @param evictionTimeout an eviction that is not answered by then is tried again
 * @param gracePeriodSeconds negative for each pod's own
 * @param qps requests to the API server in a second, with as many as {@code burst} at once
 */
public record LifecycleAgentSettings(
    String node,
    String cordNamespace,
    String identity,
    List<DriverNaming> driverNames,
    PluginServer.SocketFolders place,
    Duration sla,
    Duration evictionTimeout,
    long gracePeriodSeconds,
    double qps,
    int burst,
    SlaPolicy atSla,
    boolean uncordonWhenCancelled,
    Claims claims) {

  /** Whether the agent plays the kubelet's part. */
  public enum Claims {
    /** Unless the kubelet does it itself. */
    AUTO,
    ALWAYS,
    NEVER
  }

  public LifecycleAgentSettings {
    driverNames = List.copyOf(driverNames);
  }

  /** The settings of an agent without flags. */
  public static LifecycleAgentSettings defaults(
      String node, String cordNamespace, Path plugins, Path registry) {
    return new LifecycleAgentSettings(
        node,
        cordNamespace,
        node,
        DriverNaming.of("drain.slm.k8s.io", true),
        new PluginServer.SocketFolders(plugins, registry),
        Duration.ofMinutes(5),
        Duration.ofSeconds(30),
        -1,
        50,
        100,
        SlaPolicy.STOP,
        true,
        Claims.AUTO);
  }

  DrainDriver.Settings drain() {
    return new DrainDriver.Settings(
        node,
        "lifecycle/" + driverNames.getFirst().driver(),
        gracePeriodSeconds,
        atSla,
        uncordonWhenCancelled);
  }
}
