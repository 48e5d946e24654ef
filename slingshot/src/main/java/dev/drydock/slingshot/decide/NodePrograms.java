package dev.drydock.slingshot.decide;

import static dev.drydock.slingshot.decide.ProgramContainer.amounts;
import static dev.drydock.slingshot.decide.ProgramContainer.env;
import static dev.drydock.slingshot.decide.ProgramContainer.field;
import static dev.drydock.slingshot.decide.ProgramContainer.unprivileged;

import dev.drydock.contracts.cxi.CXIDriverSpec.RetryHandlerMode;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.CxiNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The DaemonSets of a CXIDriver, as they are written. */
public final class NodePrograms {
  /** The only one of their accounts that may write anything. */
  public static final String AGENT_ACCOUNT = "cxi-node-agent";

  private static final String RETRY_HANDLER_PORT = "8080";

  /** Where a pod has the root of its node. */
  static final String NODE_ROOT = "/host";

  private static final List<Map<String, Object>> ANY_TAINT = List.of(Tree.of("operator", "Exists"));

  private final DriverIdentity driver;
  private final EffectiveSpec spec;
  private final OriginalImages images;

  public NodePrograms(DriverIdentity driver, EffectiveSpec spec, OriginalImages images) {
    this.driver = driver;
    this.spec = spec;
    this.images = images;
  }

  /** Every component that is on, in order, with its DaemonSet. */
  public Map<CxiComponent, Map<String, Object>> wanted() {
    Map<CxiComponent, Map<String, Object>> all = new LinkedHashMap<>();
    all.put(CxiComponent.DRIVER_AGENT, driverAgent());
    if (spec.devicePlugin().enabled()) {
      all.put(CxiComponent.DEVICE_PLUGIN, devicePlugin());
    }
    if (spec.retryHandler().mode() == RetryHandlerMode.daemonset) {
      all.put(CxiComponent.RETRY_HANDLER, retryHandler());
    }
    if (spec.metricsExporter().enabled()) {
      all.put(CxiComponent.METRICS_EXPORTER, metricsExporter());
    }
    return all;
  }

  /** The account of the driver agents; what it may do is up to the manifests. */
  public Map<String, Object> agentAccount() {
    return Tree.of(
        "apiVersion",
        "v1",
        "kind",
        "ServiceAccount",
        "metadata",
        Tree.of(
            "name",
            AGENT_ACCOUNT,
            "namespace",
            driver.namespace(),
            "labels",
            Tree.of(CxiNames.MANAGED_BY, CxiNames.OPERATOR)));
  }

  private Map<String, Object> driverAgent() {
    OriginalImages.Choice image = images.choose(spec.driverAgent().image());
    ProgramContainer container =
        new ProgramContainer(
            CxiComponent.DRIVER_AGENT,
            image,
            List.of(),
            agentVariables(image),
            8081,
            List.of(30, 30, 5),
            List.of(10, 10, 5),
            given(spec.driverAgent().resources(), amounts("50m", "64Mi", "2", "2Gi")),
            // root, because it writes to folders of the host; the image's own user is another
            Tree.of("privileged", true, "runAsUser", 0));
    Map<String, Object> pod =
        pod(container, agentMounts(image), spec.nodeSelector(), spec.tolerations());
    pod.put("hostPID", true);
    pod.put("serviceAccountName", AGENT_ACCOUNT);
    // deleted pod by pod when their nodes are drained
    return daemonSet(CxiComponent.DRIVER_AGENT, pod, Map.of(), Tree.of("type", "OnDelete"));
  }

  private HostMounts agentMounts(OriginalImages.Choice image) {
    boolean builds = spec.source().type() == SourceType.dkms;
    HostMounts mounts = new HostMounts();
    mounts.host("modules", "/lib/modules", !spec.installs());
    mounts.host("sources", "/usr/src", !builds);
    mounts.host("dev", "/dev", false);
    mounts.host("sys", "/sys", true);
    if (builds) {
      mounts.made("dkms", "/var/lib/dkms");
      mounts.made("shs-dkms", "/etc/shs-dkms");
    }
    if (!image.original()) {
      mounts.made("state", "/var/lib/cxi-driver");
      mounts.made("run-cxi", "/run/cxi");
    }
    mounts.empty("work", "/tmp");
    return mounts;
  }

  private List<Map<String, Object>> agentVariables(OriginalImages.Choice image) {
    List<Map<String, Object>> env = new ArrayList<>();
    env.add(env("CXI_DRIVER_VERSION", spec.version()));
    env.add(env("DRIVER_SOURCE_TYPE", spec.source().type().name()));
    env.add(field("NODE_NAME", "spec.nodeName"));
    spec.source().tag().ifPresent(tag -> env.add(env("DKMS_TAG", tag)));
    if (!image.original()) {
      env.add(env("CXI_DRIVER_REVISION", spec.revision()));
      env.add(env("NAMESPACE", driver.namespace()));
      env.add(field("POD_UID", "metadata.uid"));
      env.add(env("RESOURCE_NAME", spec.devicePlugin().resourceName()));
      env.add(env("RETRY_HANDLER_MODE", spec.retryHandler().mode().name()));
      env.add(env("DKMS_PLATFORM", spec.source().platform().name()));
      spec.source().archive().ifPresent(url -> env.add(env("DKMS_SOURCE_URL", url)));
      spec.source().prebuiltCache().ifPresent(url -> env.add(env("PREBUILT_URL", url)));
      spec.source()
          .repositories()
          .forEach((name, from) -> env.add(env("DKMS_REPOSITORY_" + name, from)));
    }
    return env;
  }

  private Map<String, Object> devicePlugin() {
    EffectiveSpec.DevicePlugin plugin = spec.devicePlugin();
    OriginalImages.Choice image = images.choose(plugin.image());
    HostMounts mounts = new HostMounts();
    mounts.host("device-plugins", "/var/lib/kubelet/device-plugins", false);
    mounts.host("sys", "/sys", true);
    mounts.host("dev", "/dev", true);
    if (!image.original()) {
      mounts.made("run-cxi", "/run/cxi");
    }
    List<Map<String, Object>> env =
        List.of(
            env("RESOURCE_NAME", plugin.resourceName()),
            env("SHARING_MODE", plugin.sharingMode().name()),
            env("SHARED_CAPACITY", Integer.toString(plugin.sharedCapacity())));
    ProgramContainer container =
        new ProgramContainer(
            CxiComponent.DEVICE_PLUGIN,
            image,
            List.of(),
            env,
            8082,
            List.of(10, 30, 5),
            List.of(5, 10, 5),
            amounts("50m", "32Mi", "100m", "128Mi"),
            // root, because the kubelet's folder is root's; nothing more
            unprivileged(0));
    Map<String, Object> pod = pod(container, mounts, spec.nodeSelector(), spec.tolerations());
    pod.put("automountServiceAccountToken", false);
    return daemonSet(CxiComponent.DEVICE_PLUGIN, pod, Map.of(), rolling());
  }

  private Map<String, Object> retryHandler() {
    EffectiveSpec.RetryHandler handler = spec.retryHandler();
    HostMounts mounts = new HostMounts();
    mounts.host("dev", "/dev", false);
    OriginalImages.Choice image = images.choose(handler.image());
    List<String> arguments = new ArrayList<>(List.of("--mode=supervisor", "--discover=auto"));
    if (!image.original()) {
      mounts.made("run-cxi", "/run/cxi");
      arguments.add("--on-crash=" + handler.onCrash().name());
      if (image.image().equals(images.ours())) {
        // our image has no cxi_rh, but nodes with the vendor's software have
        mounts.nodeRoot(NODE_ROOT);
        arguments.add("--cxi-rh-root=" + NODE_ROOT);
      }
    }
    ProgramContainer container =
        new ProgramContainer(
            CxiComponent.RETRY_HANDLER,
            image,
            arguments,
            List.of(),
            8080,
            List.of(10, 30),
            image.original() ? List.of() : List.of(5, 10),
            handler.resources(),
            Tree.of("privileged", true, "runAsUser", image.original() ? null : 0));
    Map<String, String> nodes = new LinkedHashMap<>(spec.nodeSelector());
    nodes.putAll(handler.nodeSelector());
    Map<String, Object> pod =
        pod(container, mounts, nodes, handler.tolerations().or(spec::tolerations));
    // the exporter of the node reads its figures from localhost
    pod.put("hostNetwork", true);
    if (!image.original()) {
      // so that it sees a handler that the node runs as a service
      pod.put("hostPID", true);
    }
    pod.put("automountServiceAccountToken", false);
    return daemonSet(CxiComponent.RETRY_HANDLER, pod, Map.of(), rolling());
  }

  private Map<String, Object> metricsExporter() {
    EffectiveSpec.MetricsExporter exporter = spec.metricsExporter();
    String port = Integer.toString(exporter.port());
    boolean onNode = spec.retryHandler().mode() == RetryHandlerMode.daemonset;
    HostMounts mounts = new HostMounts();
    mounts.host("sys", "/sys", true);
    mounts.host("proc", "/proc", true);
    ProgramContainer container =
        new ProgramContainer(
            CxiComponent.METRICS_EXPORTER,
            images.choose(exporter.image()),
            List.of(
                "--metrics-port=" + port,
                "--retry-handler-url=" + (onNode ? "http://localhost:" + RETRY_HANDLER_PORT : "")),
            List.of(field("NODE_NAME", "spec.nodeName")),
            exporter.port(),
            List.of(10, 30),
            List.of(5, 10),
            exporter.resources(),
            unprivileged(65532));
    Map<String, Object> pod = pod(container, mounts, spec.nodeSelector(), spec.tolerations());
    pod.put("hostNetwork", true);
    pod.put("automountServiceAccountToken", false);
    return daemonSet(
        CxiComponent.METRICS_EXPORTER,
        pod,
        Tree.of(
            "prometheus.io/scrape",
            "true",
            "prometheus.io/port",
            port,
            "prometheus.io/path",
            "/metrics"),
        rolling());
  }

  private static Map<String, Object> rolling() {
    return Tree.of("type", "RollingUpdate");
  }

  private static Map<String, Object> given(
      Map<String, Object> resources, Map<String, Object> otherwise) {
    return resources.isEmpty() ? otherwise : resources;
  }

  private static Map<String, Object> pod(
      ProgramContainer program,
      HostMounts mounts,
      Map<String, String> nodeSelector,
      Optional<List<Map<String, Object>>> tolerations) {
    Map<String, Object> container = program.tree();
    container.put("volumeMounts", mounts.mounts());
    return Tree.of(
        "containers",
        List.of(container),
        "volumes",
        mounts.volumes(),
        "nodeSelector",
        nodeSelector.isEmpty() ? null : nodeSelector,
        "tolerations",
        tolerations.orElse(ANY_TAINT),
        "priorityClassName",
        "system-node-critical");
  }

  private Map<String, Object> daemonSet(
      CxiComponent component,
      Map<String, Object> pod,
      Map<String, Object> podAnnotations,
      Map<String, Object> strategy) {
    Map<String, Object> labels = driver.labels(component);
    Map<String, Object> podLabels = new LinkedHashMap<>(labels);
    if (component == CxiComponent.DRIVER_AGENT) {
      podLabels.put(CxiNames.REVISION_LABEL, spec.revision());
      podLabels.put(CxiNames.TEMPLATE_LABEL, Tree.hash(pod));
    }
    Map<String, Object> body =
        Tree.of(
            "selector",
            Tree.of("matchLabels", labels),
            "updateStrategy",
            strategy,
            "template",
            Tree.of(
                "metadata",
                Tree.of(
                    "labels",
                    podLabels,
                    "annotations",
                    podAnnotations.isEmpty() ? null : podAnnotations),
                "spec",
                pod));
    return Tree.of(
        "apiVersion",
        "apps/v1",
        "kind",
        "DaemonSet",
        "metadata",
        Tree.of(
            "name",
            component.objectName(driver.name()),
            "namespace",
            driver.namespace(),
            "labels",
            labels,
            "annotations",
            Tree.of(CxiNames.HASH, Tree.hash(List.of(body, driver.owner()))),
            "ownerReferences",
            driver.owner()),
        "spec",
        body);
  }
}
