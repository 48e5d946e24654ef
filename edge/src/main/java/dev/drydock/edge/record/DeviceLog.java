package dev.drydock.edge.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The device log in the format of EVE's newlogd, for machines where that does not run: JSON lines
 * in a file that is open, and compressed files of earlier lines. A log that cannot be written never
 * stops the agent.
 */
public final class DeviceLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLog.class);
  private static final String OPEN = "dev.log.keep.";
  private static final String LINK = "current.device.log";
  private static final int MOST_TEXT = 400 * 1024;
  private static final int MOST_COMPRESSED = 50 * 1024;

  private final Path collect;
  private final Path kept;
  private final Clock clock;
  private final long mostBytes;
  private final Path open;
  private long written;
  private long messages;

  /**
   * @param mostMegabytes of compressed files, the oldest of which go first
   */
  public DeviceLog(Path root, Clock clock, long mostMegabytes) throws IOException {
    collect = root.resolve("collect");
    kept = root.resolve("keepSentQueue");
    this.clock = clock;
    Files.createDirectories(collect);
    Files.createDirectories(kept);
    long tenth = Files.getFileStore(root).getTotalSpace() / 10;
    mostBytes = Math.min(mostMegabytes * 1024 * 1024, tenth);
    for (Path left : files(collect, OPEN)) {
      compress(left); // of a process that died
    }
    open = collect.resolve(OPEN + ProcessHandle.current().pid());
    Files.writeString(open, "");
    Path link = collect.resolve(LINK);
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, open.getFileName());
  }

  private static List<Path> files(Path folder, String prefix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith(prefix))
          .sorted()
          .toList();
    }
  }

  /** Adds a line. */
  public synchronized void line(String level, String message) {
    Instant now = clock.instant();
    ObjectNode content = Json.object();
    content.put("level", level).put("msg", message).put("time", now.toString());
    ObjectNode line = Json.object();
    line.put("severity", level).put("source", "drydock-edge");
    line.put("iid", String.valueOf(ProcessHandle.current().pid()));
    line.put("content", content.toString());
    line.put("msgid", ++messages);
    line.putObject("timestamp").put("seconds", now.getEpochSecond()).put("nanos", now.getNano());
    byte[] text = (line + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      Files.write(open, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      written += text.length;
      if (written >= MOST_TEXT) {
        rotate();
      }
    } catch (IOException full) {
      LOG.warn("cannot write the device log: {}", full.toString());
    }
  }

  /** Compresses what is there and begins anew. */
  public synchronized void rotate() {
    try {
      compress(open);
      Files.writeString(open, "");
      written = 0;
      forgetOldest();
    } catch (IOException full) {
      LOG.warn("cannot rotate the device log: {}", full.toString());
    }
  }

  private void compress(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (!lines.isEmpty()) {
      store(lines);
    }
    Files.delete(file);
  }

  /** Split until each part is small enough. */
  private void store(List<String> lines) throws IOException {
    byte[] compressed = gzip(String.join("\n", lines) + "\n");
    if (compressed.length > MOST_COMPRESSED && lines.size() > 1) {
      store(lines.subList(0, lines.size() / 2));
      store(lines.subList(lines.size() / 2, lines.size()));
      return;
    }
    long time = clock.millis();
    Path file = kept.resolve("dev.log.%d.gz".formatted(time));
    while (Files.exists(file)) {
      time++;
      file = kept.resolve("dev.log.%d.gz".formatted(time));
    }
    Path unfinished = kept.resolve(".unfinished");
    Files.write(unfinished, compressed);
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private void forgetOldest() throws IOException {
    List<Path> all = files(kept, "dev.log.");
    long size = 0;
    for (Path file : all.reversed()) {
      size += Files.size(file);
      if (size > mostBytes) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void close() {
    rotate();
  }
}
