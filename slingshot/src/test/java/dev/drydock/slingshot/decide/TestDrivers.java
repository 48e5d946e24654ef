package dev.drydock.slingshot.decide;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.contracts.cxi.CXIDeviceStatus.HealthStatus;
import dev.drydock.contracts.cxi.CXIDriverSpec;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.ngn2.MaintenanceState;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Specs and nodes for tests. */
public final class TestDrivers {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static final DriverIdentity DRIVER =
      new DriverIdentity("cxi-driver", "uid-1", 3, "slingshot-system");
  public static final OriginalImages IMAGES = new OriginalImages("drydock:1", false);

  /** The spec that the documentation of the original shows. */
  public static final String SEED =
      """
      {"version": "1.8.3", "source": {"type": "preinstalled"},
       "retryHandler": {"enabled": true, "mode": "daemonset",
         "image": "ghcr.io/sielicki/slingshot-operator/retry-handler:latest"},
       "devicePlugin": {"enabled": true, "resourceName": "hpe.com/cxi",
         "image": "ghcr.io/sielicki/slingshot-operator/device-plugin:latest",
         "sharingMode": "shared", "sharedCapacity": 100},
       "metricsExporter": {"enabled": true,
         "image": "ghcr.io/sielicki/slingshot-operator/metrics-exporter:latest", "port": 9090},
       "nodeSelector": {"feature.node.kubernetes.io/pci-1590.present": "true"},
       "updateStrategy": {"type": "RollingUpdate", "maxUnavailable": "10%",
         "rollbackOnFailure": true, "healthCheckTimeout": "5m"}}
      """;

  /** One that is built and rolled out. */
  public static final String BUILT =
      """
      {"version": "2.0.0", "source": {"type": "dkms", "dkms": {"tag": "release/shs-2.0.0"}}}
      """;

  private TestDrivers() {}

  @SuppressWarnings("unchecked")
  public static Map<String, Object> tree(String json) {
    try {
      return JSON.readValue(json, Map.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static EffectiveSpec spec(String json) {
    try {
      return EffectiveSpec.of(JSON.readValue(json, CXIDriverSpec.class));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As {@link #BUILT} with an update strategy. */
  public static EffectiveSpec updating(String strategy) {
    return spec(
        """
        {"version": "2.0.0", "source": {"type": "dkms", "dkms": {"tag": "release/shs-2.0.0"}},
         "updateStrategy": %s}
        """
            .formatted(strategy));
  }

  public static DriverReport report(
      DriverReport.State state, @Nullable String revision, @Nullable String maintenance) {
    return new DriverReport(
        state,
        revision,
        "v-of-" + revision,
        null,
        maintenance,
        List.of("cxi_ss1", "cxi_user", "cxi_eth"),
        null,
        null,
        null,
        "2026-01-01T00:00:00Z");
  }

  static CxiNode.Device device(boolean up) {
    return new CxiNode.Device(
        up,
        true,
        up ? HealthStatus.Healthy : HealthStatus.Unhealthy,
        "",
        CounterGate.Counters.ZERO);
  }

  /** A ready node with one device, at the revision, with an agent of the template. */
  public static NodeBuilder node(String name) {
    return new NodeBuilder(name);
  }

  static CxiNode.Maintenance maintenance(MaintenanceState state, Map<String, String> annotations) {
    return new CxiNode.Maintenance("m-1", "m-uid", "campaign-uid", state, false, annotations);
  }

  /** Collects the facts of a node. */
  public static final class NodeBuilder {
    private final String name;
    private final Map<String, String> labels = new HashMap<>();
    private final Map<String, String> annotations =
        new HashMap<>(Map.of(CxiNames.PREVIOUS_VERSION, "1.0.0"));
    private boolean ready = true;
    private boolean cordoned = true;
    private boolean cutShort;
    private Map<String, Long> allocatable = Map.of("hpe.com/cxi", 100L);
    private @Nullable DriverReport report;
    private Map<String, CxiNode.Device> devices = Map.of("cxi0", device(true));
    private CxiNode.@Nullable Agent agent = new CxiNode.Agent("pod-1", "old", "template-old", true);
    private CxiNode.@Nullable Maintenance maintenance;

    private NodeBuilder(String name) {
      this.name = name;
    }

    public NodeBuilder label(String key, String value) {
      labels.put(key, value);
      return this;
    }

    NodeBuilder annotation(String key, @Nullable String value) {
      annotations.put(key, value);
      annotations.values().removeIf(each -> each == null);
      return this;
    }

    NodeBuilder ready(boolean value) {
      ready = value;
      return this;
    }

    NodeBuilder cordoned(boolean value) {
      cordoned = value;
      return this;
    }

    NodeBuilder cutShort(boolean value) {
      cutShort = value;
      return this;
    }

    NodeBuilder allocatable(long units) {
      allocatable = Map.of("hpe.com/cxi", units);
      return this;
    }

    public NodeBuilder report(@Nullable DriverReport value) {
      report = value;
      return this;
    }

    NodeBuilder devices(Map<String, CxiNode.Device> value) {
      devices = value;
      return this;
    }

    NodeBuilder agent(CxiNode.@Nullable Agent value) {
      agent = value;
      return this;
    }

    NodeBuilder maintenance(CxiNode.@Nullable Maintenance value) {
      maintenance = value;
      return this;
    }

    public CxiNode build() {
      return new CxiNode(
          name,
          labels,
          annotations,
          ready,
          cordoned,
          allocatable,
          Optional.ofNullable(report),
          devices,
          Optional.ofNullable(agent),
          Optional.ofNullable(maintenance),
          cutShort);
    }
  }
}
