package dev.drydock.testbed.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.ProgressDisplay;
import dev.drydock.cli.Terminal;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestbedException;
import java.nio.file.Files;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock cluster down}: stops a cluster and leaves no process and no file behind. */
@Command(
    name = "down",
    description = {"Stop a cluster and remove all its files.", "Only the cached programs remain."})
final class ClusterDownCommand implements Callable<Integer> {
  private static final long STOP_SECONDS = 120;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private ClusterName name = new ClusterName();

  @Option(names = "--all", description = "Stop all your clusters on this machine.")
  private boolean all;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    List<ClusterFolder> folders =
        all
            ? ClusterFolder.all()
            : List.of(name.folder()).stream()
                .filter(folder -> Files.exists(folder.path()))
                .toList();
    if (folders.isEmpty()) {
      terminal.out().println("No cluster to stop.");
    }
    for (ClusterFolder folder : folders) {
      try (ProgressDisplay display = new ProgressDisplay(terminal, Clock.systemUTC())) {
        display.step("Stopping cluster \"" + folder.name() + "\"");
        stop(folder, display);
      }
      terminal.out().println("Cluster \"" + folder.name() + "\" is gone.");
    }
    return ExitCode.OK;
  }

  private static void stop(ClusterFolder folder, ProgressDisplay display) {
    try {
      Optional<ProcessHandle> host = folder.host();
      if (host.isPresent()) {
        host.get().destroy();
        var _ = host.get().onExit().get(STOP_SECONDS, TimeUnit.SECONDS);
      }
      ControlPlane.removeRemains(folder.controlPlane()); // only a killed process leaves any
      folder.delete();
    } catch (InterruptedException e) {
      display.fail();
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted; the cluster continues to stop in the background", e);
    } catch (TestbedException e) {
      display.fail();
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    } catch (ExecutionException | TimeoutException e) {
      display.fail();
      throw new CommandFailure(
          "cluster \"%s\" did not stop in %d s; its log is %s"
              .formatted(folder.name(), STOP_SECONDS, folder.log()),
          e);
    }
  }
}
