package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CxiNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
 * @param nodesHandler whether the image has no handler, so that the node's is used
 */
public record SidecarInjection(
    OriginalImages.Choice image,
    String resourceName,
    Map<String, Object> resources,
    boolean nativeSidecar,
    boolean nodesHandler) {
  static final String HANDLER = "/usr/bin/cxi_rh";

  /** Where the programs of a node leave messages for each other, and the locks are. */
  private static final String MESSAGES = "/run/cxi";

  /** Folders of the node with the names of their volumes. */
  private Map<String, String> folders() {
    Map<String, String> folders = new LinkedHashMap<>();
    folders.put("/dev", "dev");
    folders.put(MESSAGES, "run-cxi");
    if (nodesHandler) {
      folders.put("/", "node");
    }
    return folders;
  }

  /**
   * One handler per device, each behind a lock of the node, so that no device has two: whoever
   * comes second waits until the first is gone. The device plugin leaves the devices of a pod in a
   * file; without it all devices of the node are served. A shell that becomes the handler has taken
   * the lock before, so the lock is the handler's, and so are signals. The handler is that of the
   * image, or else the node's.
   */
  static final String SCRIPT =
      """
      serve() {
        exec 9>>/run/cxi/$1.lock
        flock 9 & wait $!
        umount -l /run/cxi/$1 2>/dev/null
        mkdir -p /run/cxi/$1
        if command -v cxi_rh >/dev/null; then exec cxi_rh --device=$1 --log-stdout; fi
        exec chroot %1$s %2$s --device=$1 --log-stdout
      }
      trap 'exit 0' TERM INT
      pod=/run/cxi/pods/$POD_UID
      for _ in 1 2 3 4 5; do [ -s "$pod" ] && break; sleep 1 & wait $!; done
      if [ -s "$pod" ]; then devices=$(cat "$pod"); else devices=$(ls /dev | grep -E '^cxi[0-9]+$'); fi
      set -- $devices
      if [ $# -eq 0 ]; then echo "no CXI device on this node"; sleep 2147483647 & wait $!; fi
      if [ $# -eq 1 ]; then serve $1; fi
      trap 'kill $all; wait; exit 0' TERM INT
      trap 'kill $all; wait; exit 1' USR1
      for device; do
        ( (serve $device) & one=$!; trap "kill $one; wait; exit 0" TERM INT; wait $one; kill -USR1 $$ ) &
        all="$all $!"
      done
      while :; do wait; done
      """
          .formatted(NodePrograms.NODE_ROOT, HANDLER);

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
    boolean uses = containers(spec).anyMatch(each -> usesDevice(each, resourceName));
    if (!isWanted(Optional.ofNullable(annotations.get(CxiNames.INJECT)), uses)) {
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

  /**
   * Whether a pod is to have a retry handler.
   *
   * @param annotation by which its author decides
   * @param uses whether it uses a device
   */
  static boolean isWanted(Optional<Object> annotation, boolean uses) {
    return annotation.map(each -> each.equals("true") || each.equals("enabled")).orElse(uses);
  }

  private static Stream<Map<String, Object>> containers(Map<String, Object> spec) {
    return Stream.concat(
        Tree.children(spec, "containers").stream(), Tree.children(spec, "initContainers").stream());
  }

  private static boolean usesDevice(Map<String, Object> container, String resource) {
    Map<String, Object> amounts = Tree.child(container, "resources");
    return Stream.of("limits", "requests")
        .flatMap(kind -> Tree.child(amounts, kind).keySet().stream())
        .anyMatch(name -> name.startsWith(resource));
  }

  private List<Change> changes(Map<String, Object> pod) {
    List<Change> changes = new ArrayList<>();
    Map<String, Object> metadata = Tree.child(pod, "metadata");
    put(changes, metadata, "annotations", CxiNames.INJECTED, "true");
    put(changes, metadata, "labels", CxiNames.INJECTED_BY, CxiNames.OPERATOR);
    Map<String, Object> spec = Tree.child(pod, "spec");
    Map<String, String> volumes = folders();
    volumes.replaceAll((path, name) -> free(spec, name, path));
    append(changes, spec, "volumes", missing(spec, volumes));
    boolean asInit = nativeSidecar && !image.original();
    append(
        changes, spec, asInit ? "initContainers" : "containers", List.of(sidecar(volumes, asInit)));
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

  /** Those that the pod does not have; their names by folder of the node. */
  private static List<Map<String, Object>> missing(
      Map<String, Object> spec, Map<String, String> volumes) {
    List<String> present =
        Tree.children(spec, "volumes").stream().map(each -> Tree.text(each, "name")).toList();
    return volumes.entrySet().stream()
        .filter(volume -> !present.contains(volume.getValue()))
        .map(
            volume ->
                Tree.of(
                    "name",
                    volume.getValue(),
                    "hostPath",
                    Tree.of(
                        "path",
                        volume.getKey(),
                        "type",
                        volume.getKey().equals(MESSAGES) ? "DirectoryOrCreate" : null)))
        .toList();
  }

  private Map<String, Object> sidecar(Map<String, String> volumes, boolean asInit) {
    boolean original = image.original();
    return Tree.of(
        "name",
        CxiNames.SIDECAR,
        "image",
        image.image(),
        "imagePullPolicy",
        original ? null : "IfNotPresent",
        "command",
        original ? null : List.of("/bin/sh", "-c", SCRIPT),
        "args",
        original ? List.of("--mode=single", "--cxi-rh-path=" + HANDLER, "--device=cxi0") : null,
        "env",
        original ? null : List.of(ProgramContainer.field("POD_UID", "metadata.uid")),
        "restartPolicy",
        asInit ? "Always" : null,
        "resources",
        resources.isEmpty() ? ProgramContainer.amounts("10m", "32Mi", "100m", "64Mi") : resources,
        "securityContext",
        Tree.of(
            "privileged",
            true,
            "runAsUser",
            0,
            "capabilities",
            Tree.of("add", List.of("SYS_ADMIN", "IPC_LOCK"))),
        "volumeMounts",
        volumes.entrySet().stream()
            .map(
                volume ->
                    Tree.of(
                        "name",
                        volume.getValue(),
                        "mountPath",
                        volume.getKey().equals("/") ? NodePrograms.NODE_ROOT : volume.getKey()))
            .toList());
  }
}
