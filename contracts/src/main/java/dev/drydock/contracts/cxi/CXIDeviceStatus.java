package dev.drydock.contracts.cxi;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Condition;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the node's driver agent observed. {@code counters} and {@code driverChecksum} are extensions
 * of Drydock; a roll-out is gated by the counters.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CXIDeviceStatus(
    @JsonPropertyDescription("The node.") @Nullable String node,
    @JsonPropertyDescription("The device, e.g. cxi0.") @Nullable String device,
    @JsonPropertyDescription("A physical or a virtual function.") @Default("pf")
        @Nullable FunctionType type,
    @JsonPropertyDescription("The PCI address, e.g. 0000:41:00.0.") @Nullable String pciAddress,
    @JsonPropertyDescription("The NUMA node; -1 if unknown.") @Nullable Integer numaNode,
    @JsonPropertyDescription("The address on the fabric; absent if unknown.") @Nullable Integer nid,
    @JsonPropertyDescription("The part of the address that is the switch's; -1 if unknown.")
        @Nullable Integer switchID,
    @JsonPropertyDescription("The speed of the link, e.g. 200Gbps.") @Nullable String linkSpeed,
    @JsonPropertyDescription("The state of the link.") @Nullable LinkState linkState,
    @JsonPropertyDescription("The driver that runs, as far as it is known.")
        @Nullable String driverVersion,
    @JsonPropertyDescription("The SHA-256 of the core module's file that is in place.")
        @Nullable String driverChecksum,
    @JsonPropertyDescription("1, 2 or 3.") @Nullable Integer cassiniGeneration,
    @JsonPropertyDescription("The retry handler of this device.")
        @Nullable RetryHandlerState retryHandler,
    @JsonPropertyDescription("Counters of errors since the module was loaded.")
        @Nullable Counters counters,
    @JsonPropertyDescription("The result of the last check.") @Nullable Health health,
    @Nullable List<Condition> conditions) {

  /** A physical or a virtual function. */
  public enum FunctionType {
    pf,
    vf
  }

  /** The state of the link. */
  public enum LinkState {
    up,
    down,
    unknown
  }

  /** The retry handler of the device. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RetryHandlerState(
      @JsonPropertyDescription("Whether one runs for this device.") @Nullable Boolean enabled,
      @JsonPropertyDescription("The configuration in use: default, or the name of its file.")
          @Nullable String policy,
      @Nullable RetryStats stats) {}

  /** What the retry handler has counted since it started. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RetryStats(
      @Nullable Long totalRetries,
      @Nullable Long timeoutRetries,
      @Nullable Long nackRetries,
      @Nullable Integer pendingRetries) {}

  /** Counters that only grow until the module is loaded again. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Counters(
      @JsonPropertyDescription("How often the link went down and came back.")
          @Nullable Long linkFlaps,
      @JsonPropertyDescription("When the link came back last, as the kernel writes it.")
          @Nullable String lastLinkRestart,
      @JsonPropertyDescription("PCIe errors that the hardware corrected.")
          @Nullable Long pcieCorrectable,
      @JsonPropertyDescription("PCIe errors that the hardware could not correct.")
          @Nullable Long pcieUncorrectable) {}

  /** The result of the last check. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Health(
      @Nullable HealthStatus status,
      @JsonPropertyDescription("When it was checked.") @Pattern(Limits.TIME)
          @Nullable String lastCheck,
      @JsonPropertyDescription("What is wrong, for people.") @Nullable String message) {}

  /** How fit the device is. */
  public enum HealthStatus {
    Healthy,
    Degraded,
    Unhealthy,
    Unknown
  }
}
