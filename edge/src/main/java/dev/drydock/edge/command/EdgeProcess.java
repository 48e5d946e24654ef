package dev.drydock.edge.command;

import dev.drydock.edge.control.EdgeAgent;
import dev.drydock.edge.control.EdgeAgentSettings;
import dev.drydock.edge.control.EdgeJournal;
import dev.drydock.edge.control.OperationRunner;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.record.BootId;
import dev.drydock.edge.record.DeviceLog;
import dev.drydock.edge.record.DiskFiles;
import dev.drydock.edge.record.ProcFolder;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.edge.record.StoredOperation;
import dev.drydock.serve.feature.AgentContext;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.feature.LeaderTerm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agent with what surrounds it on a real machine: watched folders, logind, the device log. */
final class EdgeProcess implements AgentRole.Running {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeProcess.class);

  private final List<AutoCloseable> parts = new ArrayList<>();
  private Optional<LogindDelay> logind = Optional.empty();

  /** What a machine may have. */
  record Extras(boolean logind, Optional<Path> deviceLog, long deviceLogMegabytes) {}

  private EdgeProcess() {}

  static EdgeProcess start(AgentContext context, EdgeAgentSettings settings, Extras extras)
      throws IOException {
    EdgeProcess process = new EdgeProcess();
    boolean started = false;
    try {
      process.begin(context, settings, extras);
      started = true;
      return process;
    } finally {
      if (!started) {
        process.close();
      }
    }
  }

  private void begin(AgentContext context, EdgeAgentSettings settings, Extras extras)
      throws IOException {
    String bootId = BootId.read();
    EdgeJournal.Sink sink = deviceLog(context, settings, extras);
    LogindDelay delay = new LogindDelay(context.kube(), () -> ask(context, settings, bootId));
    EdgeAgent agent =
        new EdgeAgent(
            context.kube(),
            settings,
            new EdgeAgent.Machine(new DiskFiles(), runner(delay), bootId, ProcFolder.HERE),
            new EdgeJournal(context.meters(), sink));
    parts.add(agent);
    parts.add(RecordFolders.watch(settings.paths(), agent::wake));
    agent.start();
    if (extras.logind()) {
      parts.add(delay);
      delay.start();
      logind = Optional.of(delay);
    }
  }

  private EdgeJournal.Sink deviceLog(
      AgentContext context, EdgeAgentSettings settings, Extras extras) throws IOException {
    if (extras.deviceLog().isEmpty()) {
      return EdgeJournal.Sink.NONE;
    }
    if (Files.exists(settings.paths().newlogd())) {
      LOG.warn(
          "no device log is written: {} exists, so newlogd writes it", settings.paths().newlogd());
      return EdgeJournal.Sink.NONE;
    }
    DeviceLog log =
        new DeviceLog(
            extras.deviceLog().get(), context.kube().clock(), extras.deviceLogMegabytes());
    parts.add(log);
    return new DeviceLogSink(log);
  }

  private record DeviceLogSink(DeviceLog log) implements EdgeJournal.Sink {
    @Override
    public void line(String level, String message) {
      log.line(level, message);
    }

    @Override
    public void finish() {
      log.rotate();
    }
  }

  private static OperationRunner runner(LogindDelay delay) {
    return (operation, command, output) ->
        switch (operation) {
          case LOGIND -> {
            delay.release();
            yield CompletableFuture.completedFuture(0);
          }
          case REBOOT, SHUTDOWN, POWEROFF, UPDATE ->
              OperationRunner.HERE.run(operation, command, output);
        };
  }

  /**
   * The machine is on its way down, and waits for us. An agent that starts later has missed it, so
   * the request is this process's.
   */
  private static void ask(AgentContext context, EdgeAgentSettings settings, String bootId) {
    new PublishedFiles(new DiskFiles())
        .publish(
            settings.paths().asked(EdgeOperation.LOGIND),
            StoredOperation.write(
                new DeferredOperation(
                    EdgeOperation.LOGIND,
                    DeferredOperation.State.ASKED,
                    context.kube().time().now(),
                    bootId,
                    "shutdown",
                    List.of(),
                    ""),
                ProcFolder.HERE.self(Duration.ZERO)));
  }

  @Override
  public Optional<String> unready() {
    return logind
        .filter(delay -> !delay.isHeld())
        .map(_ -> "shutdowns by logind do not wait for the drain");
  }

  @Override
  public void close() {
    for (AutoCloseable part : parts.reversed()) {
      LeaderTerm.close(part.getClass(), part);
    }
    parts.clear();
  }
}
