package dev.drydock.slingshot.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The container of a program on nodes.
 *
 * @param arguments after the program's name
 * @param liveness initial delay, period and, if it is not the default, timeout, in seconds
 * @param readiness the same; empty for no probe
 */
record ProgramContainer(
    CxiComponent component,
    OriginalImages.Choice image,
    List<String> arguments,
    List<Map<String, Object>> env,
    int port,
    List<Integer> liveness,
    List<Integer> readiness,
    Map<String, Object> resources,
    Map<String, Object> security) {
  Map<String, Object> tree() {
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
        "imagePullPolicy",
        image.original() ? null : "IfNotPresent",
        "command",
        image.original() ? null : command(),
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

  /** Starts a program that has to be small; the image's own entry point is for larger ones. */
  private List<String> command() {
    String name = component == CxiComponent.DRIVER_AGENT ? "driver-agent" : "small";
    return List.of("/opt/drydock/java/bin/java", "@/opt/drydock/%s.args".formatted(name));
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

  static Map<String, Object> unprivileged(int user) {
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

  static Map<String, Object> amounts(String cpu, String memory, String mostCpu, String mostMemory) {
    return Tree.of(
        "requests",
        Tree.of("cpu", cpu, "memory", memory),
        "limits",
        Tree.of("cpu", mostCpu, "memory", mostMemory));
  }

  static Map<String, Object> env(String name, String value) {
    return Tree.of("name", name, "value", value);
  }

  static Map<String, Object> field(String name, String path) {
    return Tree.of("name", name, "valueFrom", Tree.of("fieldRef", Tree.of("fieldPath", path)));
  }
}
