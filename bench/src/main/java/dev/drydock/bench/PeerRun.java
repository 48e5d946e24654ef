package dev.drydock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * One run of a contestant: its processes, when they ended and what they used. Time counts from just
 * before the first process is started, so it includes the start of the programs.
 */
final class PeerRun implements AutoCloseable {
  /** The kernel records the peak itself, so a sample can only miss growth at the very end. */
  private static final long SAMPLE_MILLIS = 50;

  private static final int LAST_WORDS = 400;

  /** Where the processes log, and their entries in the audit log. */
  record ResourceUsage(Path logs, Supplier<List<AuditLog.Request>> requests) {}

  private record Member(String name, Process process, CompletableFuture<Long> ended) {}

  private final List<Member> members = new ArrayList<>();
  private final Map<Long, Long> peaks = new ConcurrentHashMap<>();
  private final ScheduledExecutorService sampler =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
  private final ResourceUsage usage;
  private final long started;

  private PeerRun(ResourceUsage usage) {
    this.usage = usage;
    this.started = System.nanoTime();
  }

  static PeerRun start(
      String name,
      List<List<String>> commands,
      BiFunction<String, List<String>, Process> starter,
      ResourceUsage usage) {
    PeerRun run = new PeerRun(usage);
    for (List<String> command : commands) {
      String member = name + "-" + (run.members.size() + 1);
      Process process = starter.apply(member, command);
      run.members.add(
          new Member(member, process, process.onExit().thenApply(_ -> System.nanoTime())));
    }
    var _ = run.sampler.scheduleAtFixedRate(run::sample, 0, SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
    return run;
  }

  private void sample() {
    for (Member member : members) {
      long pid = member.process().pid();
      ProcessMemory.peak(pid).ifPresent(peak -> peaks.merge(pid, peak, Math::max));
    }
  }

  /** Waits until all processes have succeeded; returns the seconds since the start. */
  double awaitExit(Duration limit) {
    long last = started;
    for (Member member : members) {
      try {
        long ended = member.ended().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        last = Math.max(last, ended);
      } catch (InterruptedException e) {
        throw BenchFailure.interrupted(e);
      } catch (ExecutionException | TimeoutException e) {
        throw new BenchFailure(
            "%s still runs after %d s: %s"
                .formatted(member.name(), limit.toSeconds(), lastWords(member)),
            e);
      }
      if (member.process().exitValue() != 0) {
        throw new BenchFailure(
            "%s failed with exit code %d: %s"
                .formatted(member.name(), member.process().exitValue(), lastWords(member)));
      }
    }
    return secondsUntil(last);
  }

  /** Seconds from the start to a time on {@link System#nanoTime}. */
  double secondsUntil(long nanoTime) {
    return (nanoTime - started) / 1e9;
  }

  /** Fails if a process that should be running has ended. */
  void assertRunning() {
    for (Member member : members) {
      if (!member.process().isAlive()) {
        throw new BenchFailure(
            "%s ended early with exit code %d: %s"
                .formatted(member.name(), member.process().exitValue(), lastWords(member)));
      }
    }
  }

  List<Long> pids() {
    return members.stream().map(member -> member.process().pid()).toList();
  }

  /** The sum of the peak resident memory of all processes. */
  long peakKib() {
    return peaks.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The processor time of all processes until now. */
  double processorSeconds() {
    return members.stream()
        .map(member -> member.process().info().totalCpuDuration().orElse(Duration.ZERO))
        .mapToDouble(time -> time.toNanos() / 1e9)
        .sum();
  }

  /** The API requests; complete when the processes have ended and the log is quiet. */
  List<AuditLog.Request> requests() {
    return usage.requests().get();
  }

  private String lastWords(Member member) {
    try {
      String log = Files.readString(usage.logs().resolve(member.name() + ".log")).strip();
      return log.substring(Math.max(0, log.length() - LAST_WORDS)).replace('\n', ' ');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops running processes, as Ctrl-C in a terminal would. */
  @Override
  public void close() {
    sampler.shutdownNow();
    members.forEach(member -> member.process().destroy());
    for (Member member : members) {
      try {
        if (!member.process().waitFor(10, TimeUnit.SECONDS)) {
          member.process().destroyForcibly();
        }
      } catch (InterruptedException e) {
        throw BenchFailure.interrupted(e);
      }
    }
  }
}
