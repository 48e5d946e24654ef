package dev.drydock.slingshot.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.slingshot.node.decide.RetryStatistics;
import dev.drydock.slingshot.retry.RetrySupervisor.Node;
import dev.drydock.slingshot.retry.decide.HandlerReason;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.LoopBug;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bug that one NIC meets does not harm the other. */
class RetryIsolationTest {
  private static final Eventually EVENTUALLY = Eventually.inRealTime();
  private static final Duration POLL = Duration.ofMillis(100);
  private static final RetryStatistics COUNTED = new RetryStatistics(Map.of("nacks", 1L));

  private final LoopFactory loops = new LoopFactory(TimeSource.REAL);
  private final LoopBug bug = new LoopBug();
  private final FakeNics machine;

  RetryIsolationTest(@TempDir Path folder) throws IOException {
    machine = FakeNics.create(folder, FakeNics.KERNEL, Clock.systemUTC());
    machine.add(FakeNic.numbered(0));
    machine.add(FakeNic.numbered(1));
  }

  private RetrySupervisor supervisor(Node node) {
    return new RetrySupervisor(
        loops,
        new RetrySupervisor.Settings(
            new HandlerLauncher(
                machine.roots(), machine.retryHandler(), Optional.empty(), Optional.empty()),
            CrashAction.restart,
            List.of(),
            POLL),
        node);
  }

  /** It runs until the supervisor ends it. */
  private static HandlerProcess process() {
    CompletableFuture<Integer> end = new CompletableFuture<>();
    return new HandlerProcess() {
      @Override
      public long pid() {
        return 1;
      }

      @Override
      public OptionalInt ended() {
        return end.isDone() ? OptionalInt.of(end.join()) : OptionalInt.empty();
      }

      @Override
      public CompletableFuture<?> onExit() {
        return end;
      }

      @Override
      public void terminate() {
        end.complete(0);
      }

      @Override
      public void kill() {
        end.complete(137);
      }
    };
  }

  private static boolean serves(RetrySupervisor supervisor, String nic) {
    return supervisor.status().stream()
        .anyMatch(each -> each.device().equals(nic) && each.reason() == HandlerReason.Running);
  }

  private static boolean counts(RetrySupervisor supervisor, String nic) {
    return supervisor.status().stream()
        .anyMatch(each -> each.device().equals(nic) && each.statistics().isPresent());
  }

  private void strikeFor(String nic) {
    if (nic.equals("cxi0")) {
      bug.strike();
    }
  }

  @Test
  void inItsHandler() throws IOException {
    try (RetrySupervisor supervisor =
        supervisor(
            new Node(
                () -> List.of("cxi0", "cxi1"),
                nic -> {
                  strikeFor(nic);
                  return process();
                },
                _ -> Optional.of(COUNTED)))) {
      supervisor.start();
      bug.staysIn(
          "cxi-handler",
          loops.health(),
          EVENTUALLY,
          () -> {
            assertThat(serves(supervisor, "cxi1")).isTrue();
            assertThat(serves(supervisor, "cxi0")).isFalse();
          },
          () -> assertThat(serves(supervisor, "cxi0")).isTrue());
    }
  }

  @Test
  void inItsStatistics() throws IOException {
    try (RetrySupervisor supervisor =
        supervisor(
            new Node(
                () -> List.of("cxi0", "cxi1"),
                _ -> process(),
                nic -> {
                  strikeFor(nic);
                  return Optional.of(COUNTED);
                }))) {
      supervisor.start();
      bug.staysIn(
          "cxi-handler-statistics",
          loops.health(),
          EVENTUALLY,
          () -> {
            assertThat(counts(supervisor, "cxi1")).isTrue();
            assertThat(serves(supervisor, "cxi0")).isTrue();
            assertThat(counts(supervisor, "cxi0")).isFalse();
          },
          () -> assertThat(counts(supervisor, "cxi0")).isTrue());
    }
  }

  /** What is served already goes on. */
  @Test
  void inTheLookForNics() throws IOException {
    List<String> known = List.of("cxi0");
    int[] looks = new int[1];
    try (RetrySupervisor supervisor =
        supervisor(
            new Node(
                () -> {
                  if (looks[0]++ > 0) {
                    bug.strike();
                    return List.of("cxi0", "cxi1");
                  }
                  return known;
                },
                _ -> process(),
                _ -> Optional.of(COUNTED)))) {
      supervisor.start();
      EVENTUALLY.until(() -> serves(supervisor, "cxi0"));
      machine.add(FakeNic.numbered(2)); // has it look again
      bug.staysIn(
          "cxi-handlers",
          loops.health(),
          EVENTUALLY,
          () -> {
            assertThat(serves(supervisor, "cxi0")).isTrue();
            assertThat(serves(supervisor, "cxi1")).isFalse();
          },
          () -> assertThat(serves(supervisor, "cxi1")).isTrue());
    }
  }
}
