package dev.drydock.slingshot.driver;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Json;
import dev.drydock.kube.Typed;
import dev.drydock.slingshot.driver.decide.DriverRecords;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.driver.decide.FailureReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The drivers that were put on the node, in a file that survives boots. */
final class DriverRecordFile {
  private static final Logger LOG = LoggerFactory.getLogger(DriverRecordFile.class);

  private final Path file;

  DriverRecordFile(AgentFolders folders) {
    file = folders.state().resolve("drivers.json");
  }

  /** What cannot be read is not known: there is no way back then. */
  DriverRecords read() {
    try {
      JsonNode root = Json.read(Files.readString(file));
      return Typed.read(root, DriverRecords.class);
    } catch (NoSuchFileException none) {
      return DriverRecords.NONE;
    } catch (IOException | IllegalStateException malformed) {
      LOG.warn("{} cannot be read: {}", file, malformed.getMessage());
      return DriverRecords.NONE;
    }
  }

  void installed(DriverTarget target) {
    DriverRecords before = read();
    DriverRecords after = before.with(target);
    if (after.equals(before)) {
      return;
    }
    try {
      DurableFiles.write(file, Typed.tree(after).toString());
    } catch (IOException failed) {
      throw new InstallFailure(
          FailureReason.HostToolFailed,
          "%s cannot be written: %s".formatted(file, failed.getMessage()));
    }
  }
}
