package dev.drydock.contracts.cxi;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The driver and what runs beside it. An absent part means the same as an empty one: every default
 * in it. {@code source.url}, {@code tolerations}, {@code driverAgent}, {@code
 * updateStrategy.drain}, {@code updateStrategy.paused} and {@code updateStrategy.gate} are
 * extensions of Drydock.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CXIDriverSpec(
    @Required @JsonPropertyDescription("The driver's version, e.g. 1.8.3.") String version,
    @JsonPropertyDescription("Where the driver comes from.") @Nullable Source source,
    @JsonPropertyDescription("Retries of lost packets in user space.")
        @Nullable RetryHandler retryHandler,
    @JsonPropertyDescription("Offers the devices to pods as an extended resource.")
        @Nullable DevicePlugin devicePlugin,
    @JsonPropertyDescription("Serves metrics of the devices.")
        @Nullable MetricsExporter metricsExporter,
    @JsonPropertyDescription("Installs the driver and reports the devices.")
        @Nullable DriverAgent driverAgent,
    @JsonPropertyDescription("The nodes; absent: all nodes.")
        @Nullable Map<String, String> nodeSelector,
    @JsonPropertyDescription("Of all pods on the nodes; absent: every taint is tolerated.")
        @SchemaFrom(type = Toleration[].class)
        @Nullable List<Map<String, Object>> tolerations,
    @JsonPropertyDescription("How a new version is rolled out.")
        @Nullable UpdateStrategy updateStrategy) {

  /** Where the driver comes from. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Source(
      @JsonPropertyDescription("How the driver gets onto the nodes.") @Default("dkms")
          @Nullable SourceType type,
      @JsonPropertyDescription(
              "The URL of an archive of the driver's source; anything else is the image of the"
                  + " driver agent.")
          @Nullable String repository,
      @JsonPropertyDescription("The URL of an archive of the driver's source.")
          @Nullable String url,
      @JsonPropertyDescription("The base URL of compiled modules, for type prebuilt.")
          @Nullable String prebuiltCache,
      @JsonPropertyDescription("How the driver is built, for type dkms.") @Nullable Dkms dkms) {}

  /** How the driver gets onto the nodes. */
  public enum SourceType {
    dkms,
    prebuilt,
    preinstalled
  }

  /** How the driver is built. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Dkms(
      @JsonPropertyDescription("The release of all repositories, e.g. release/shs-13.0.0.")
          @Nullable String tag,
      @JsonPropertyDescription("What the base link is built for.") @Default("cassini")
          @Nullable Platform platform,
      @JsonPropertyDescription("Repositories that do not come from the release.")
          @Nullable Repositories repositories) {}

  /** What the base link is built for. */
  public enum Platform {
    cassini,
    rosetta
  }

  /** Each overrides the release for itself only. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Repositories(
      @Nullable Repository cxiDriver,
      @Nullable Repository sbl,
      @Nullable Repository slDriver,
      @Nullable Repository cassiniHeaders) {}

  /** A repository and what is taken from it. */
  public record Repository(
      @Required @JsonPropertyDescription("The repository's URL.") String url,
      @Required @JsonPropertyDescription("A tag, branch or commit.") String ref) {}

  /** Retries of lost packets in user space. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RetryHandler(
      @JsonPropertyDescription("Whether there is one.") @Default("true") @Nullable Boolean enabled,
      @JsonPropertyDescription("Where it runs.") @Default("daemonset")
          @Nullable RetryHandlerMode mode,
      @JsonPropertyDescription("Its image; absent: the operator's.") @Nullable String image,
      @JsonPropertyDescription("For mode daemonset.") @Nullable OnNodes daemonset,
      @JsonPropertyDescription("For mode sidecar.") @Nullable Sidecar sidecar,
      @JsonPropertyDescription(
              "For mode daemonset: what happens if the handler of a device ends by itself. restart:"
                  + " it is started again. quarantine: the device is not offered any more, and its"
                  + " node is drained, until it was rebooted.")
          @Default("restart")
          @Nullable CrashAction onCrash) {}

  /** What happens if a retry handler ends by itself. */
  public enum CrashAction {
    restart,
    quarantine
  }

  /** Where retries are handled. */
  public enum RetryHandlerMode {
    daemonset,
    sidecar,
    kernel,
    none
  }

  /** One retry handler per node. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record OnNodes(
      @SchemaFrom(type = ResourceRequirements.class) @Nullable Map<String, Object> resources,
      @Nullable Map<String, String> nodeSelector,
      @SchemaFrom(type = Toleration[].class) @Nullable List<Map<String, Object>> tolerations) {}

  /** A retry handler beside each container that uses a device. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Sidecar(
      @SchemaFrom(type = ResourceRequirements.class) @Nullable Map<String, Object> resources) {}

  /** Offers the devices to pods. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DevicePlugin(
      @JsonPropertyDescription("Whether devices are offered.") @Default("true")
          @Nullable Boolean enabled,
      @JsonPropertyDescription("The extended resource that pods request.") @Default("hpe.com/cxi")
          @Nullable String resourceName,
      @JsonPropertyDescription("Its image; absent: the operator's.") @Nullable String image,
      @JsonPropertyDescription("Whether several pods may use one device.") @Default("shared")
          @Nullable SharingMode sharingMode,
      @JsonPropertyDescription("How many pods may use one device, if they share it.")
          @Default("100")
          @Min(1)
          @Nullable Integer sharedCapacity) {}

  /** Whether several pods may use one device. */
  public enum SharingMode {
    shared,
    exclusive
  }

  /** Serves metrics of the devices. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record MetricsExporter(
      @JsonPropertyDescription("Whether metrics are served.") @Default("true")
          @Nullable Boolean enabled,
      @JsonPropertyDescription("Its image; absent: the operator's.") @Nullable String image,
      @JsonPropertyDescription("The port of the metrics.") @Default("9090") @Nullable Integer port,
      @SchemaFrom(type = ResourceRequirements.class) @Nullable Map<String, Object> resources) {}

  /** Installs the driver and reports the devices. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DriverAgent(
      @JsonPropertyDescription("Its image; absent: the operator's.") @Nullable String image,
      @SchemaFrom(type = ResourceRequirements.class) @Nullable Map<String, Object> resources) {}

  /** How a new version is rolled out. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record UpdateStrategy(
      @JsonPropertyDescription("Whether nodes are updated by themselves.") @Default("RollingUpdate")
          @Nullable UpdateType type,
      @JsonPropertyDescription(
              "Nodes that may be out of service: a number, or a percentage, which is rounded down"
                  + " but to no less than one node.")
          @Default("10%")
          @Nullable String maxUnavailable,
      @JsonPropertyDescription("Whether a node goes back to its previous version on a failure.")
          @Default("true")
          @Nullable Boolean rollbackOnFailure,
      @JsonPropertyDescription("How long a node may take to become healthy, e.g. 5m or 1h30m.")
          @Default("5m")
          @Nullable String healthCheckTimeout,
      @JsonPropertyDescription("How nodes are emptied.") @Nullable Drain drain,
      @JsonPropertyDescription("No further node is updated; nodes that have begun continue.")
          @Nullable Boolean paused,
      @JsonPropertyDescription(
              "A node is fit only if its devices count no more errors than before.")
          @Nullable Gate gate,
      @JsonPropertyDescription(
              "Nodes of one switch that may be out of service, by the labels"
                  + " slingshot.hpe.com/cxi0-switch-id, cxi1 and so on; absent: no such limit.")
          @Min(1)
          @Max(Limits.MOST_NODES)
          @Nullable Integer maxUnavailablePerSwitch) {}

  /** Whether nodes are updated by themselves. */
  public enum UpdateType {
    RollingUpdate,
    OnDelete
  }

  /** How nodes are emptied. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Drain(
      @JsonPropertyDescription("Which pods leave; absent: CXIPods.") @Nullable DrainScope scope,
      @JsonPropertyDescription("The time limit of a node's drain; absent: none.")
          @Min(1)
          @Max(Limits.MOST_SECONDS)
          @Nullable Integer deadlineSeconds,
      @JsonPropertyDescription("What happens at the time limit; absent: Fail.")
          DrainRequestSpec.@Nullable AtDeadline atDeadline) {}

  /** Which pods leave a node before its driver is replaced. */
  public enum DrainScope {
    CXIPods,
    Node
  }

  /** What the devices may count after an update, compared with before it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Gate(
      @JsonPropertyDescription("How long the devices are observed; absent: not at all.")
          @Min(0)
          @Max(Limits.MOST_SECONDS)
          @Nullable Integer soakSeconds,
      @JsonPropertyDescription("Link flaps per device during that time; absent: 0.") @Min(0)
          @Nullable Integer maxLinkFlaps,
      @JsonPropertyDescription("Uncorrectable PCIe errors per device; absent: 0.") @Min(0)
          @Nullable Integer maxPcieErrors,
      @JsonPropertyDescription("Retries after a NACK per device and minute; absent: any number.")
          @Min(0)
          @Nullable Integer maxNacksPerMinute) {}
}
