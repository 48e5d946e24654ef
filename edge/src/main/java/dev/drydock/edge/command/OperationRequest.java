package dev.drydock.edge.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.OptionalValue;
import dev.drydock.cli.Terminal;
import dev.drydock.cli.WhenStopped;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.record.BootId;
import dev.drydock.edge.record.DiskFiles;
import dev.drydock.edge.record.EdgePaths;
import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import dev.drydock.edge.record.ProcFolder;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.edge.record.RefusedRequest;
import dev.drydock.edge.record.StoredOperation;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Asks the machine's agent for an operation, and waits until it has taken it. */
@Command(addMethodSubcommands = false)
final class OperationRequest {
  /** An agent that runs takes a request in less. */
  private static final Duration QUIET = Duration.ofSeconds(2);

  @Mixin private EdgeRootOptions roots = new EdgeRootOptions();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "60s",
      description =
          "How long to wait until the agent has taken the request; it is withdrawn then."
              + " Default: 60s.")
  private Duration timeout = Duration.ZERO;

  @Option(
      names = "--wait",
      paramLabel = "true|false",
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      description = "Wait until the operation begins, and say what it waits for. Default: false.")
  private boolean wait;

  @Option(names = "--follow", hidden = true)
  private boolean follow;

  EdgePaths paths() {
    return roots.paths();
  }

  int run(@Nullable CommandSpec spec, EdgeOperation kind, String context, List<String> command)
      throws InterruptedException {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    EdgePaths paths = roots.paths();
    PublishedFiles files = new PublishedFiles(new DiskFiles());
    Semaphore changed = new Semaphore(0);
    try (RecordFolders _ = RecordFolders.watch(List.of(paths.operations()), changed::release)) {
      DeferredOperation asked =
          new DeferredOperation(
              kind,
              DeferredOperation.State.ASKED,
              TimeSource.REAL.now(),
              BootId.read(),
              context,
              command,
              "");
      String request = StoredOperation.write(asked, ProcFolder.HERE.self(timeout));
      // A person who gives up here wants no reboot when an agent starts some day.
      try (WhenStopped _ = new WhenStopped(() -> files.removeIfSame(paths.asked(kind), request))) {
        files.publish(paths.asked(kind), request);
        awaitTaken(terminal, files, paths, kind, changed);
      }
      return await(terminal, files, paths, asked, changed);
    } catch (IOException unusable) {
      throw new CommandFailure(
          "cannot use %s: %s; run as root, or set --edge-persist-root"
              .formatted(paths.operations(), unusable.getMessage()),
          unusable);
    }
  }

  private void awaitTaken(
      Terminal terminal,
      PublishedFiles files,
      EdgePaths paths,
      EdgeOperation kind,
      Semaphore changed)
      throws InterruptedException {
    Duration end = TimeSource.REAL.elapsed().plus(timeout);
    boolean quiet = true;
    while (files.read(paths.asked(kind)).isPresent()) {
      Duration left = end.minus(TimeSource.REAL.elapsed());
      boolean pause = quiet && left.compareTo(QUIET) > 0;
      Duration most = pause ? QUIET : left;
      boolean told =
          left.isPositive() && changed.tryAcquire(most.toMillis(), TimeUnit.MILLISECONDS);
      if (!told && pause) {
        quiet = false;
        terminal
            .err()
            .println(
                "waiting for the agent to take the request, for %d s at most; Ctrl-C withdraws it"
                    .formatted(timeout.toSeconds()));
      } else if (!told && files.read(paths.asked(kind)).isPresent()) {
        files.remove(paths.asked(kind));
        throw new CommandFailure(
            "no agent has taken the request within %d s; start it with: drydock agent --parts edge"
                .formatted(timeout.toSeconds()));
      }
    }
  }

  /** Until the agent has decided; with --wait until the operation begins. */
  private int await(
      Terminal terminal,
      PublishedFiles files,
      EdgePaths paths,
      DeferredOperation asked,
      Semaphore changed)
      throws InterruptedException {
    String told = "";
    while (true) {
      Optional<DeferredOperation> now = read(files, paths, asked);
      if (now.isEmpty()) {
        throw new CommandFailure(
            refusal(files, paths, asked).orElse("%s was called off".formatted(asked.context())));
      }
      String line = line(now.get());
      if (!line.equals(told) && now.get().state() != DeferredOperation.State.ASKED) {
        terminal.out().println(line);
        told = line;
      }
      switch (now.get().state()) {
        case STARTED, DONE -> {
          return ExitCode.OK;
        }
        case FAILED -> {
          return ExitCode.FAILED;
        }
        case DEFERRED, KEPT -> {
          if (!wait && !follow) {
            return ExitCode.OK;
          }
        }
        case ASKED -> {}
      }
      changed.acquire();
    }
  }

  /** Empty if it is gone, or another one has taken its place. */
  private static Optional<DeferredOperation> read(
      PublishedFiles files, EdgePaths paths, DeferredOperation asked) {
    return files
        .read(paths.operation(asked.operation()))
        .flatMap(
            text -> {
              try {
                return Optional.of(StoredOperation.read(text));
              } catch (RecordUnreadable damaged) {
                return Optional.empty();
              }
            })
        .filter(now -> now.requestedAt().equals(asked.requestedAt()));
  }

  private static Optional<String> refusal(
      PublishedFiles files, EdgePaths paths, DeferredOperation asked) {
    return files
        .read(paths.refused(asked.operation()))
        .flatMap(
            text -> {
              try {
                return Optional.of(RefusedRequest.read(text));
              } catch (RecordUnreadable damaged) {
                return Optional.empty();
              }
            })
        .filter(refused -> refused.requestedAt().equals(asked.requestedAt().toString()))
        .map(RefusedRequest::line);
  }

  private static String line(DeferredOperation operation) {
    String what =
        operation.operation() == EdgeOperation.UPDATE
            ? "os-update to " + operation.context()
            : operation.operation().word();
    return switch (operation.state()) {
      case STARTED, DONE -> what + " begins";
      case FAILED -> "%s failed: %s".formatted(what, operation.message());
      case ASKED, DEFERRED, KEPT ->
          "%s is deferred: %s; see: drydock edge status".formatted(what, operation.message());
    };
  }
}
