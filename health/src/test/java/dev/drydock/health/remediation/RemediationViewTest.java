package dev.drydock.health.remediation;

import static dev.drydock.health.remediation.RemediationFixture.REBOOTS;
import static dev.drydock.health.remediation.RemediationFixture.fault;
import static dev.drydock.health.remediation.RemediationFixture.recovery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.remediation.RemediationFixture.Operator;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.StatusPart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code drydock status} and {@code drydock history} get. */
class RemediationViewTest {
  @TempDir private Path folder;

  private static List<String> waits(RemediationFixture fixture) {
    List<String> waits = new ArrayList<>();
    StatusPart part = RemediationView.status();
    var _ =
        fixture
            .kube()
            .http()
            .list(
                part.source(),
                node ->
                    Optional.ofNullable(part.read(node))
                        .ifPresent(entry -> waits.addAll(entry.waits())));
    return waits;
  }

  private static List<HistoryStep> history(RemediationFixture fixture, String node) {
    return RemediationView.history(
            new HistoryReader(
                fixture.kube().http(), node, Optional.empty(), fixture.cluster().clock()))
        .stream()
        .flatMap(part -> part.steps().stream())
        .toList();
  }

  @Test
  void allThatIsKnownAboutAttemptsIsShown() {
    try (RemediationFixture fixture = RemediationFixture.simulated(folder)) {
      String node = fixture.addNode();
      try (Operator _ = fixture.operator(fixture.reboots())) {
        assertThat(waits(fixture)).isEmpty();
        String id = fixture.quarantinedAndDrained(fault(node));
        String name = fixture.only(REBOOTS).name();
        String shown = "RebootNode %s (RESTART_VM, attempt 1)".formatted(name);
        fixture.eventually().until(() -> waits(fixture), List.of(shown)::equals);
        fixture
            .eventually()
            .until(
                () -> waits(fixture),
                List.of("a controller of %s, which nobody serves".formatted(shown))::equals);
        fixture.condition(REBOOTS, name, "NodeReady", "False");
        fixture
            .eventually()
            .until(
                () -> waits(fixture),
                List.of(
                        "another attempt or a person: %s failed: Test: by the test"
                            .formatted(shown))
                    ::equals);
        fixture.eventually().until(() -> fixture.list(REBOOTS).size() == 2);
        fixture.condition(REBOOTS, name + "-2", "NodeReady", "True");
        fixture
            .eventually()
            .until(
                () -> waits(fixture),
                List.of(
                        "a healthy event: RebootNode %s-2 (RESTART_VM, attempt 2) is done"
                            .formatted(name))
                    ::equals);

        fixture.eventuallyStatus(fixture.send(recovery(node)), "UnQuarantined");
        fixture.eventually().until(() -> history(fixture, node).size() == 6);
        assertThat(history(fixture, node))
            .extracting(HistoryStep::what)
            .containsExactly(
                "RemediationStarted",
                "RemediationFailed",
                "RemediationRecovered",
                "RemediationStarted",
                "RemediationDone",
                "RemediationRecovered");
        assertThat(history(fixture, node).getFirst().story())
            .isEqualTo(
                "RebootNode %s was made because of RESTART_VM (event %s), attempt 1 in quarantine %2$s"
                    .formatted(name, id));
        assertThat(RemediationView.phases().keySet())
            .containsAll(history(fixture, node).stream().map(HistoryStep::what).toList());
        assertThat(waits(fixture)).isEmpty();
      }
    }
  }
}
