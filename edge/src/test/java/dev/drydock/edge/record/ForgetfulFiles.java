package dev.drydock.edge.record;

import dev.drydock.testkit.ProcessDeath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A disk that keeps only what was synced. What was not may have arrived, in part or not at all: a
 * new name without its content, half a content, or neither.
 */
final class ForgetfulFiles implements FileOperations {
  private static final class Content {
    private byte[] bytes = new byte[0];
    private byte[] onDisk = new byte[0];

    private boolean isOnDisk() {
      return Arrays.equals(bytes, onDisk);
    }
  }

  private Map<Path, Content> names = new HashMap<>();
  private Map<Path, Content> namesOnDisk = new HashMap<>();
  private int last = Integer.MAX_VALUE;
  private int changes;

  /** Counted from now on. */
  void losePowerAt(int change) {
    changes = 0;
    last = change;
  }

  /** Everything that may be found after the boot. */
  List<ForgetfulFiles> afterPowerLoss() {
    List<ForgetfulFiles> found = new ArrayList<>();
    for (Map<Path, Content> survivors : List.of(names, namesOnDisk)) {
      for (int arrived = 0; arrived <= 2; arrived++) {
        ForgetfulFiles after = new ForgetfulFiles();
        for (Map.Entry<Path, Content> entry : survivors.entrySet()) {
          Content content = new Content();
          byte[] written = entry.getValue().bytes;
          content.bytes =
              entry.getValue().isOnDisk()
                  ? written
                  : arrived == 0
                      ? entry.getValue().onDisk
                      : Arrays.copyOf(written, written.length * arrived / 2);
          content.onDisk = content.bytes;
          after.names.put(entry.getKey(), content);
        }
        after.namesOnDisk = new HashMap<>(after.names);
        found.add(after);
      }
    }
    return found;
  }

  private void change() {
    if (++changes >= last) {
      throw new ProcessDeath();
    }
  }

  @Override
  public Optional<byte[]> read(Path file) {
    return Optional.ofNullable(names.get(file)).map(content -> content.bytes);
  }

  @Override
  public void write(Path file, byte[] content) {
    Content written = names.computeIfAbsent(file, _ -> new Content());
    written.bytes = content.clone();
    change();
  }

  @Override
  public void sync(Path fileOrFolder) {
    change();
    Content content = names.get(fileOrFolder);
    if (content != null) {
      content.onDisk = content.bytes;
    } else {
      namesOnDisk = new HashMap<>(names);
    }
  }

  @Override
  public void rename(Path from, Path to) {
    Content content = names.remove(from);
    if (content != null) {
      names.put(to, content);
    }
    change();
  }

  @Override
  public void delete(Path file) {
    var _ = names.remove(file);
    change();
  }

  @Override
  public void makeFolder(Path folder) {}
}
