package dev.drydock.slingshot.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a pod gets of its node: the volumes, and the mounts of its container. */
final class HostMounts {
  private final List<Map<String, Object>> volumes = new ArrayList<>();
  private final List<Map<String, Object>> mounts = new ArrayList<>();

  List<Map<String, Object>> volumes() {
    return volumes;
  }

  List<Map<String, Object>> mounts() {
    return mounts;
  }

  void host(String name, String path, boolean readOnly) {
    add(name, path, readOnly, Tree.of("hostPath", Tree.of("path", path)));
  }

  /** Made on the node if it is not there. */
  void made(String name, String path) {
    add(name, path, false, Tree.of("hostPath", Tree.of("path", path, "type", "DirectoryOrCreate")));
  }

  /** All of the node, for a program of the node that needs its libraries. */
  void nodeRoot(String path) {
    add("node", path, false, Tree.of("hostPath", Tree.of("path", "/")));
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
