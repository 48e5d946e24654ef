package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.RetryHandlerMode;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.CxiNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The DaemonSets of a CXIDriver, as they are written. */
public final class NodePrograms {
  /** The only one of their accounts that may write anything. */
  public static final String AGENT_ACCOUNT = "cxi-node-agent";

  private static final String RETRY_HANDLER_PORT = "8080";
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
    boolean builds = spec.source().type() == SourceType.dkms;
    boolean installs = spec.installs();
    Mounts mounts = new Mounts();
    mounts.host("modules", "/lib/modules", !installs);
    mounts.host("sources", "/usr/src", !builds);
    mounts.host("dev", "/dev", false);
    mounts.host("sys", "/sys", true);
    if (builds) {
      mounts.made("dkms", "/var/lib/dkms");
      mounts.made("shs-dkms", "/etc/shs-dkms");
    }
    mounts.empty("work", "/tmp");
    List<Map<String, Object>> env = new ArrayList<>();
    env.add(env("CXI_DRIVER_VERSION", spec.version()));
    env.add(env("DRIVER_SOURCE_TYPE", spec.source().type().name()));
    env.add(field("NODE_NAME", "spec.nodeName"));
    spec.source().tag().ifPresent(tag -> env.add(env("DKMS_TAG", tag)));
    if (!image.original()) {
      env.add(env("CXI_DRIVER_REVISION", spec.revision()));
      env.add(env("NAMESPACE", driver.namespace()));
      env.add(env("DKMS_PLATFORM", spec.source().platform().name()));
      spec.source().archive().ifPresent(url -> env.add(env("DKMS_SOURCE_URL", url)));
      spec.source().prebuiltCache().ifPresent(url -> env.add(env("PREBUILT_URL", url)));
      spec.source()
          .repositories()
          .forEach((name, from) -> env.add(env("DKMS_REPOSITORY_" + name, from)));
    }
    Map<String, Object> container =
        container(
            CxiComponent.DRIVER_AGENT,
            image,
            List.of(),
            env,
            8081,
            List.of(30, 30, 5),
            List.of(10, 10, 5),
            given(spec.driverAgent().resources(), amounts("50m", "64Mi", "2", "2Gi")),
            Tree.of("privileged", true));
    Map<String, Object> pod = pod(container, mounts, spec.nodeSelector(), spec.tolerations());
    pod.put("hostPID", true);
    pod.put("serviceAccountName", AGENT_ACCOUNT);
    // deleted pod by pod when their nodes are drained
    return daemonSet(CxiComponent.DRIVER_AGENT, pod, Map.of(), Tree.of("type", "OnDelete"));
  }

  private Map<String, Object> devicePlugin() {
    EffectiveSpec.DevicePlugin plugin = spec.devicePlugin();
    OriginalImages.Choice image = images.choose(plugin.image());
    Mounts mounts = new Mounts();
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
    Map<String, Object> container =
        container(
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
    Mounts mounts = new Mounts();
    mounts.host("dev", "/dev", false);
    OriginalImages.Choice image = images.choose(handler.image());
    if (!image.original()) {
      mounts.made("run-cxi", "/run/cxi");
    }
    Map<String, Object> container =
        container(
            CxiComponent.RETRY_HANDLER,
            image,
            List.of("--mode=supervisor", "--discover=auto"),
            List.of(),
            8080,
            List.of(10, 30),
            List.of(),
            handler.resources(),
            Tree.of("privileged", true));
    Map<String, String> nodes = new LinkedHashMap<>(spec.nodeSelector());
    nodes.putAll(handler.nodeSelector());
    Map<String, Object> pod =
        pod(container, mounts, nodes, handler.tolerations().or(spec::tolerations));
    // the exporter of the node reads its figures from localhost
    pod.put("hostNetwork", true);
    pod.put("automountServiceAccountToken", false);
    return daemonSet(CxiComponent.RETRY_HANDLER, pod, Map.of(), rolling());
  }

  private Map<String, Object> metricsExporter() {
    EffectiveSpec.MetricsExporter exporter = spec.metricsExporter();
    String port = Integer.toString(exporter.port());
    boolean onNode = spec.retryHandler().mode() == RetryHandlerMode.daemonset;
    Mounts mounts = new Mounts();
    mounts.host("sys", "/sys", true);
    mounts.host("proc", "/proc", true);
    Map<String, Object> container =
        container(
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

  private static Map<String, Object> unprivileged(int user) {
    return Tree.of(
        "runAsUser",
        user,
        "allowPrivilegeEscalation",
        false,
        "readOnlyRootFilesystem",
        true,
        "capabilities",
        Tree.of("drop", List.of("ALL")));
  }

  private static Map<String, Object> given(
      Map<String, Object> resources, Map<String, Object> otherwise) {
    return resources.isEmpty() ? otherwise : resources;
  }

  static Map<String, Object> amounts(String cpu, String memory, String mostCpu, String mostMemory) {
    return Tree.of(
        "requests",
        Tree.of("cpu", cpu, "memory", memory),
        "limits",
        Tree.of("cpu", mostCpu, "memory", mostMemory));
  }

  private static Map<String, Object> env(String name, String value) {
    return Tree.of("name", name, "value", value);
  }

  static Map<String, Object> field(String name, String path) {
    return Tree.of("name", name, "valueFrom", Tree.of("fieldRef", Tree.of("fieldPath", path)));
  }

  /** What a pod gets of its node. */
  private static final class Mounts {
    private final List<Map<String, Object>> volumes = new ArrayList<>();
    private final List<Map<String, Object>> mounts = new ArrayList<>();

    void host(String name, String path, boolean readOnly) {
      add(name, path, readOnly, Tree.of("hostPath", Tree.of("path", path)));
    }

    /** Made on the node if it is not there. */
    void made(String name, String path) {
      add(
          name,
          path,
          false,
          Tree.of("hostPath", Tree.of("path", path, "type", "DirectoryOrCreate")));
    }

    void empty(String name, String path) {
      add(name, path, false, Tree.of("emptyDir", Tree.of()));
    }

    private void add(String name, String path, boolean readOnly, Map<String, Object> volume) {
      volume.put("name", name);
      volumes.add(volume);
      mounts.add(
          Tree.of("name", name, "mountPath", path, "readOnly", readOnly ? Boolean.TRUE : null));
    }
  }

  private static @Nullable Map<String, Object> probe(
      String path, String port, List<Integer> times) {
    return times.isEmpty()
        ? null
        : Tree.of(
            "httpGet",
            Tree.of("path", path, "port", port),
            "initialDelaySeconds",
            times.get(0),
            "periodSeconds",
            times.get(1),
            "timeoutSeconds",
            times.size() > 2 ? times.get(2) : null);
  }

  private static Map<String, Object> container(
      CxiComponent component,
      OriginalImages.Choice image,
      List<String> arguments,
      List<Map<String, Object>> env,
      int port,
      List<Integer> liveness,
      List<Integer> readiness,
      Map<String, Object> resources,
      Map<String, Object> security) {
    List<String> args = new ArrayList<>();
    if (!image.original()) {
      args.addAll(List.of("cxi", component.text()));
    }
    args.addAll(arguments);
    String portName = component == CxiComponent.METRICS_EXPORTER ? "metrics" : "health";
    return Tree.of(
        "name",
        component.text(),
        "image",
        image.image(),
        "args",
        args.isEmpty() ? null : args,
        "env",
        env.isEmpty() ? null : env,
        "ports",
        List.of(Tree.of("name", portName, "containerPort", port)),
        "livenessProbe",
        probe("/healthz", portName, liveness),
        "readinessProbe",
        probe("/readyz", portName, readiness),
        "resources",
        resources.isEmpty() ? null : resources,
        "securityContext",
        security);
  }

  private static Map<String, Object> pod(
      Map<String, Object> container,
      Mounts mounts,
      Map<String, String> nodeSelector,
      Optional<List<Map<String, Object>>> tolerations) {
    container.put("volumeMounts", mounts.mounts);
    return Tree.of(
        "containers",
        List.of(container),
        "volumes",
        mounts.volumes,
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
