package dev.drydock.demo;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.ProgressDisplay;
import dev.drydock.cli.Terminal;
import dev.drydock.sim.DemoCluster;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.sim.kubelet.KubeletKnobs;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One run of the demo: starts a cluster, plays the steps on it, takes it down. */
final class Demo {
  /** Long enough to read, short enough not to bore. */
  private static final KubeletKnobs KNOBS =
      KubeletKnobs.NONE.with(Knob.READY_AFTER, "1s").with(Knob.STOP_AFTER, "1s");

  private final Terminal terminal;
  private final Mode mode;
  private final Clock clock = Clock.systemUTC();

  /**
   * The settings of a run.
   *
   * @param watched whether a person sits at a terminal
   * @param pace how long to wait between steps; null for Enter, or not at all without a person
   * @param keep leave the cluster up after the end
   * @param patience how long a check waits for the expected state
   */
  record Mode(boolean watched, @Nullable Duration pace, boolean keep, Duration patience) {}

  Demo(Terminal terminal, Mode mode) {
    this.terminal = terminal;
    this.mode = mode;
  }

  int on(DemoCluster.Starter starter) {
    DemoCluster cluster = start(starter);
    Screen screen = new Screen(terminal, mode.watched());
    ClusterTeardown teardown = new ClusterTeardown(screen, cluster);
    try (teardown) {
      return play(cluster, screen);
    } catch (Quit _) {
      // Not every check was shown if the pipe was closed, so a script must not see success.
      return screen.isLost() ? ExitCode.FAILED : ExitCode.OK;
    } catch (RuntimeException failed) {
      if (teardown.stopped()) {
        return ExitCode.OK;
      }
      throw failed instanceof CheckFailed
          ? new CommandFailure("the demo failed: " + failed.getMessage(), failed)
          : failed;
    }
  }

  private DemoCluster start(DemoCluster.Starter starter) {
    try (ProgressDisplay display = new ProgressDisplay(terminal, clock)) {
      display.step("Starting the cluster");
      try {
        return starter.start(KNOBS, display::detail);
      } catch (RuntimeException e) {
        display.fail();
        throw e;
      }
    }
  }

  private @Nullable Keys keys(Screen screen, ChangeCounter changes) {
    return mode.watched()
        ? Keys.read(requireNonNull(System.console()).reader(), screen::lineTyped, changes)
        : null;
  }

  private int play(DemoCluster cluster, Screen screen) {
    Instant start = clock.instant();
    ChangeCounter changes = new ChangeCounter(clock);
    DemoPresenter presenter =
        new DemoPresenter(screen, changes, keys(screen, changes), mode.pace());
    Checks checks = new Checks(screen, presenter, changes, mode.patience());
    presenter.say("Any kubectl can look at this cluster while the demo runs:");
    presenter.quote("export KUBECONFIG=" + cluster.kubeconfig());
    try (DemoClusterView view = new DemoClusterView(cluster.kubeconfig(), changes);
        Shell shell = new Shell(screen, cluster.kubeconfig(), changes);
        DemoSteps steps = new DemoSteps(presenter, view, shell, checks)) {
      DemoSteps.populate(cluster, view);
      try (LiveTable _ = LiveTable.of(view, screen)) {
        steps.play();
        presenter.heading(
            "The end: %d checks of the cluster, all ok, in %d s."
                .formatted(checks.passed(), Duration.between(start, clock.instant()).toSeconds()));
        if (mode.keep()) {
          presenter.say(
              "The cluster stays up until " + (mode.watched() ? "q Enter or Ctrl-C:" : "Ctrl-C:"));
          presenter.quote("export KUBECONFIG=" + cluster.kubeconfig());
          presenter.stay();
        }
      }
    }
    return ExitCode.OK;
  }
}
