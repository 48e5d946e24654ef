package dev.drydock.edge.record;

import dev.drydock.edge.decide.RequestAsker;
import dev.drydock.edge.decide.RequestDecider.Presence;
import dev.drydock.edge.record.PublishedFiles.FileFailure;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Linux's own record of processes. The JDK's start time of a process moves when the clock is set,
 * so the kernel's ticks are read.
 */
public final class ProcFolder implements ProcessView {
  /** Of this machine. */
  public static final ProcFolder HERE = new ProcFolder(Path.of("/proc"));

  private static final int STATE = 0;
  private static final int STARTED = 19;

  private final Path folder;

  ProcFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * This process.
   *
   * @param waits how long it waits for an agent
   */
  public RequestAsker self(Duration waits) {
    return asker(ProcessHandle.current().pid(), waits);
  }

  RequestAsker asker(long pid, Duration waits) {
    long started =
        started(pid)
            .orElseThrow(
                () -> new FileFailure("read", stat(pid), new NoSuchFileException("no process")));
    return new RequestAsker(pid, started, namespace(), uptime(), waits);
  }

  @Override
  public Presence presence(RequestAsker asker) {
    if (!asker.namespace().equals(namespace())) {
      return Presence.UNSEEN;
    }
    return started(asker.pid()).filter(ticks -> ticks == asker.started()).isPresent()
        ? Presence.RUNS
        : Presence.ENDED;
  }

  @Override
  public Duration uptime() {
    Path file = folder.resolve("uptime");
    try {
      String seconds = Files.readString(file).strip().split(" ", 2)[0];
      return Duration.ofMillis(new BigDecimal(seconds).movePointRight(3).longValue());
    } catch (IOException failed) {
      throw new FileFailure("read", file, failed);
    } catch (NumberFormatException damaged) {
      throw new FileFailure("read", file, new IOException("it has no number", damaged));
    }
  }

  private String namespace() {
    Path file = folder.resolve("self").resolve("ns").resolve("pid");
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException failed) {
      throw new FileFailure("read", file, failed);
    }
  }

  private Path stat(long pid) {
    return folder.resolve(Long.toString(pid)).resolve("stat");
  }

  /** Empty if there is no such process, or if it has ended and its parent has not noticed. */
  private Optional<Long> started(long pid) {
    String text;
    try {
      text = Files.readString(stat(pid));
    } catch (IOException gone) {
      return Optional.empty(); // it may end while its file is read
    }
    // the name before may have spaces and parentheses
    List<String> fields =
        List.of(text.substring(text.lastIndexOf(')') + 1).strip().split("\\s+", -1));
    if (fields.size() <= STARTED || "ZXx".contains(fields.get(STATE))) {
      return Optional.empty();
    }
    return Optional.of(Long.parseLong(fields.get(STARTED)));
  }
}
