package dev.drydock.demo;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.ProgressDisplay;
import dev.drydock.cli.Terminal;
import dev.drydock.sim.StagedCluster;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.sim.kubelet.KubeletKnobs;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One telling of the story: starts a cluster, tells the story on it, takes it down. */
final class Demo {
  /** Long enough to be seen, short enough not to bore. */
  private static final KubeletKnobs KNOBS =
      KubeletKnobs.NONE.with(Knob.READY_AFTER, "1s").with(Knob.STOP_AFTER, "1s");

  private final Terminal terminal;
  private final Manner manner;
  private final Clock clock = Clock.systemUTC();

  /**
   * How it is told.
   *
   * @param watched whether somebody sits at a terminal
   * @param pace how long to wait between steps; null for Enter, or not at all if nobody is there
   * @param keep leave the cluster up after the end
   * @param patience how long a check waits for the cluster to become as expected
   */
  record Manner(boolean watched, @Nullable Duration pace, boolean keep, Duration patience) {}

  Demo(Terminal terminal, Manner manner) {
    this.terminal = terminal;
    this.manner = manner;
  }

  int on(StagedCluster.Starter starter) {
    StagedCluster cluster = start(starter);
    Screen screen = new Screen(terminal, manner.watched());
    Ending ending = new Ending(screen, cluster);
    try (ending) {
      return tell(cluster, screen);
    } catch (Quit _) {
      // Whoever closed the pipe has not seen every check pass, and a script must not think so.
      return screen.isLost() ? ExitCode.FAILED : ExitCode.OK;
    } catch (RuntimeException failed) {
      if (ending.stopped()) {
        return ExitCode.OK;
      }
      throw failed instanceof CheckFailed
          ? new CommandFailure("the demo failed: " + failed.getMessage(), failed)
          : failed;
    }
  }

  private StagedCluster start(StagedCluster.Starter starter) {
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

  private @Nullable Keys keys(Screen screen, News news) {
    return manner.watched()
        ? Keys.read(requireNonNull(System.console()).reader(), screen::lineTyped, news)
        : null;
  }

  private int tell(StagedCluster cluster, Screen screen) {
    Instant start = clock.instant();
    News news = new News(clock);
    Narrator narrator = new Narrator(screen, news, keys(screen, news), manner.pace());
    Checks checks = new Checks(screen, narrator, news, manner.patience());
    narrator.say("Any kubectl can look at this cluster while the demo runs:");
    narrator.quote("export KUBECONFIG=" + cluster.kubeconfig());
    try (Fleet fleet = new Fleet(cluster.kubeconfig(), news);
        Shell shell = new Shell(screen, cluster.kubeconfig(), news);
        Story story = new Story(narrator, fleet, shell, checks)) {
      Story.populate(cluster, fleet);
      try (LiveTable _ = LiveTable.of(fleet, screen)) {
        story.tell();
        narrator.heading(
            "The end: %d checks of the cluster, all ok, in %d s."
                .formatted(checks.passed(), Duration.between(start, clock.instant()).toSeconds()));
        if (manner.keep()) {
          narrator.say(
              "The cluster stays up until "
                  + (manner.watched() ? "q Enter or Ctrl-C:" : "Ctrl-C:"));
          narrator.quote("export KUBECONFIG=" + cluster.kubeconfig());
          narrator.stay();
        }
      }
    }
    return ExitCode.OK;
  }
}
