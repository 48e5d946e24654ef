package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CxiNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Adds a retry handler to pods that use a device. Its process is the retry handler itself, started
 * by a few lines of shell: a pod pays for nothing else.
 *
 * @param resourceName of the devices; others whose names begin with it count too
 * @param resources of the sidecar; empty for the defaults
 * @param nativeSidecar whether the cluster knows init containers that keep running
 */
public record SidecarInjection(
    OriginalImages.Choice image,
    String resourceName,
    Map<String, Object> resources,
    boolean nativeSidecar) {
  static final String HANDLER = "/usr/bin/cxi_rh";

  /**
   * One handler per device, each behind a lock of the node, so that no device has two. The device
   * plugin leaves the devices of a pod in a file; without it all devices of the node are served.
   */
  static final String SCRIPT =
      """
      pod=/run/cxi/pods/$POD_UID
      for _ in 1 2 3 4 5; do [ -s "$pod" ] && break; sleep 1; done
      if [ -s "$pod" ]; then devices=$(cat "$pod"); else devices=$(ls /dev | grep -E '^cxi[0-9]+$'); fi
      set -- $devices
      [ $# -gt 0 ] || { echo "no CXI device on this node"; exec sleep infinity; }
      if [ $# -eq 1 ]; then exec flock /run/cxi/$1.lock cxi_rh --device=$1 --log-stdout; fi
      trap 'kill $(jobs -p); wait' TERM INT
      for device; do flock /run/cxi/$device.lock cxi_rh --device=$device --log-stdout & done
      wait
      """;

  /** What becomes of a pod. */
  public sealed interface Outcome {
    /** It is admitted as it is; the reason is for people. */
    record Unchanged(String reason) implements Outcome {}

    /** It is changed. */
    record Changed(List<Change> changes, List<String> warnings) implements Outcome {}
  }

  /** Adds a value at a path, given as field names; {@code -} appends to a list. */
  public record Change(List<String> path, Object value) {}

  public Outcome inject(Map<String, Object> pod) {
    Map<String, Object> annotations = Tree.child(Tree.child(pod, "metadata"), "annotations");
    Map<String, Object> spec = Tree.child(pod, "spec");
    if (Tree.text(annotations, CxiNames.INJECTED).equals("true")
        || containers(spec).anyMatch(each -> Tree.text(each, "name").equals(CxiNames.SIDECAR))) {
      return new Outcome.Unchanged("already injected");
    }
    boolean uses = containers(spec).anyMatch(this::usesDevice);
    boolean asked = List.of("true", "enabled").contains(Tree.text(annotations, CxiNames.INJECT));
    if (annotations.containsKey(CxiNames.INJECT) ? !asked : !uses) {
      return new Outcome.Unchanged("no injection needed");
    }
    List<String> warnings =
        uses
            ? List.of()
            : List.of(
                "the pod has annotation %s, but no container requests %s: its retry handler serves all devices of the node"
                    .formatted(CxiNames.INJECT, resourceName));
    return new Outcome.Changed(changes(pod), warnings);
  }

  private static Stream<Map<String, Object>> containers(Map<String, Object> spec) {
    return Stream.concat(
        Tree.children(spec, "containers").stream(), Tree.children(spec, "initContainers").stream());
  }

  private boolean usesDevice(Map<String, Object> container) {
    Map<String, Object> amounts = Tree.child(container, "resources");
    return Stream.of("limits", "requests")
        .flatMap(kind -> Tree.child(amounts, kind).keySet().stream())
        .anyMatch(name -> name.startsWith(resourceName));
  }

  private List<Change> changes(Map<String, Object> pod) {
    List<Change> changes = new ArrayList<>();
    Map<String, Object> metadata = Tree.child(pod, "metadata");
    put(changes, metadata, "annotations", CxiNames.INJECTED, "true");
    put(changes, metadata, "labels", CxiNames.INJECTED_BY, CxiNames.OPERATOR);
    Map<String, Object> spec = Tree.child(pod, "spec");
    String dev = free(spec, "dev", "/dev");
    String run = free(spec, "run-cxi", "/run/cxi");
    append(changes, spec, "volumes", volumes(spec, dev, run));
    boolean asInit = nativeSidecar && !image.original();
    append(
        changes,
        spec,
        asInit ? "initContainers" : "containers",
        List.of(sidecar(dev, run, asInit)));
    return changes;
  }

  private static void put(
      List<Change> changes, Map<String, Object> parent, String map, String key, String value) {
    changes.add(
        parent.containsKey(map)
            ? new Change(List.of("metadata", map, key), value)
            : new Change(List.of("metadata", map), Tree.of(key, value)));
  }

  private static void append(
      List<Change> changes, Map<String, Object> spec, String list, List<Map<String, Object>> all) {
    if (spec.containsKey(list)) {
      all.forEach(each -> changes.add(new Change(List.of("spec", list, "-"), each)));
    } else if (!all.isEmpty()) {
      changes.add(new Change(List.of("spec", list), all));
    }
  }

  /** The name of a volume for a folder of the node, which the pod may have already. */
  private static String free(Map<String, Object> spec, String name, String path) {
    List<Map<String, Object>> volumes = Tree.children(spec, "volumes");
    String candidate = name;
    int next = 2;
    while (true) {
      String wanted = candidate;
      Optional<Map<String, Object>> taken =
          volumes.stream().filter(each -> Tree.text(each, "name").equals(wanted)).findFirst();
      if (taken.isEmpty() || Tree.text(Tree.child(taken.get(), "hostPath"), "path").equals(path)) {
        return candidate;
      }
      candidate = CxiNames.SIDECAR + "-" + name + (next == 2 ? "" : "-" + next);
      next++;
    }
  }

  private static List<Map<String, Object>> volumes(
      Map<String, Object> spec, String dev, String run) {
    List<String> present =
        Tree.children(spec, "volumes").stream().map(each -> Tree.text(each, "name")).toList();
    return Stream.of(
            Tree.of("name", dev, "hostPath", Tree.of("path", "/dev")),
            Tree.of(
                "name", run, "hostPath", Tree.of("path", "/run/cxi", "type", "DirectoryOrCreate")))
        .filter(volume -> !present.contains(Tree.text(volume, "name")))
        .toList();
  }

  private Map<String, Object> sidecar(String dev, String run, boolean asInit) {
    boolean original = image.original();
    return Tree.of(
        "name",
        CxiNames.SIDECAR,
        "image",
        image.image(),
        "command",
        original ? null : List.of("/bin/sh", "-c", SCRIPT),
        "args",
        original ? List.of("--mode=single", "--cxi-rh-path=" + HANDLER, "--device=cxi0") : null,
        "env",
        original ? null : List.of(NodePrograms.field("POD_UID", "metadata.uid")),
        "restartPolicy",
        asInit ? "Always" : null,
        "resources",
        resources.isEmpty() ? NodePrograms.amounts("10m", "32Mi", "100m", "64Mi") : resources,
        "securityContext",
        Tree.of(
            "privileged",
            true,
            "runAsUser",
            0,
            "capabilities",
            Tree.of("add", List.of("SYS_ADMIN", "IPC_LOCK"))),
        "volumeMounts",
        List.of(
            Tree.of("name", dev, "mountPath", "/dev"),
            Tree.of("name", run, "mountPath", "/run/cxi")));
  }
}
