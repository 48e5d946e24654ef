package dev.drydock.slingshot.deviceplugin;

import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.LoopFactory;
import dev.drydock.slingshot.deviceplugin.decide.PodFileChanges;
import dev.drydock.slingshot.node.HostFile;
import dev.drydock.slingshot.node.HostPaths;
import dev.drydock.slingshot.node.MessageFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a file for each pod that has NICs, by its UID, with a NIC in each line. A retry handler in
 * a sidecar reads it: the environment that the plugin gives reaches the other container only.
 */
final class PodFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PodFiles.class);

  private final Allocations allocations;
  private final Path folder;
  private final ControlLoop loop;

  /** What the kubelet has given to the containers of the node. */
  @FunctionalInterface
  interface Allocations {
    List<PodFileChanges.Given> read() throws IOException;
  }

  /**
   * @param folder for the files
   */
  PodFiles(LoopFactory loops, Allocations allocations, Path folder) {
    this.allocations = allocations;
    this.folder = folder;
    this.loop = loops.loop("cxi-pod-files", this::step);
  }

  /** The kubelet may have allocated something. */
  void wake() {
    loop.wake();
  }

  private Instant step() {
    try {
      PodFileChanges changes = PodFileChanges.of(allocations.read(), present());
      for (Map.Entry<String, String> each : changes.write().entrySet()) {
        write(each.getKey(), each.getValue());
      }
      for (String uid : changes.remove()) {
        Files.deleteIfExists(folder.resolve(uid));
      }
    } catch (IOException unusable) {
      throw new PodFilesUnusable("cannot say which pods have which NICs: " + unusable.getMessage());
    }
    return Instant.MAX;
  }

  private Map<String, String> present() {
    Map<String, String> present = new TreeMap<>();
    for (Path file : HostPaths.children(folder)) {
      String name = HostPaths.name(file);
      if (!name.startsWith(".")) {
        present.put(name, HostFile.text(file).map(text -> text + "\n").orElse(""));
      }
    }
    return present;
  }

  private void write(String uid, String content) throws IOException {
    new MessageFile(folder.resolve(uid)).write(content.stripTrailing());
    LOG.info("pod {} has {}", uid, String.join(", ", content.lines().toList()));
  }

  @Override
  public void close() {
    loop.close();
  }
}
