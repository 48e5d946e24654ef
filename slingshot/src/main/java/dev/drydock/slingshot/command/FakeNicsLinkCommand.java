package dev.drydock.slingshot.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.WhenStopped;
import dev.drydock.slingshot.fake.FakeNics;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code drydock cxi fake-nics link}. */
@Command(
    name = "link",
    addMethodSubcommands = false,
    description = "Set the link of a NIC of a fake machine up or down, or flip it again and again.")
final class FakeNicsLinkCommand extends FakeMachine {
  enum Wanted {
    up,
    down,
    flip
  }

  @Parameters(index = "1", paramLabel = "NIC", description = "The NIC, e.g. cxi0.")
  private String nic = "";

  @Parameters(
      index = "2",
      paramLabel = "STATE",
      description = "${COMPLETION-CANDIDATES}; flip changes it --times times.")
  private Wanted wanted = Wanted.up;

  @Option(
      names = "--times",
      paramLabel = "COUNT",
      defaultValue = "2",
      description = "How often flip changes the link; 0 until stopped. Default: 2.")
  private int times;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "The time between two changes by flip. Default: 1s.")
  private Duration every = Duration.ZERO;

  @Override
  void run(FakeNics nics) throws IOException {
    require(nics, nic);
    if (times < 0 || !every.isPositive()) {
      throw CommandFailure.usage("--times must not be negative, and --every must be positive");
    }
    switch (wanted) {
      case up -> nics.link(nic, true);
      case down -> nics.link(nic, false);
      case flip -> flip(nics);
    }
  }

  private void flip(FakeNics nics) throws IOException {
    CountDownLatch stopped = new CountDownLatch(1);
    try (WhenStopped _ = new WhenStopped(stopped::countDown)) {
      int done = 0;
      do {
        boolean isUp =
            nics.sysfs().nics().stream()
                .filter(each -> each.name().equals(nic))
                .anyMatch(each -> each.isUp());
        nics.link(nic, !isUp);
        done++;
      } while ((times == 0 || done < times)
          && !stopped.await(every.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
