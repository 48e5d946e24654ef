package dev.drydock.health.quarantine;

import static dev.drydock.health.quarantine.QuarantineFixture.fault;
import static dev.drydock.health.quarantine.QuarantineFixture.recovery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.quarantine.QuarantineFixture.Operator;
import dev.drydock.kube.KubeHttp;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@code drydock status} and {@code drydock history} get. */
class QuarantineViewTest {
  private final QuarantineFixture fixture = QuarantineFixture.simulated();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static List<StatusEntry> status(KubeHttp http) {
    List<StatusEntry> entries = new ArrayList<>();
    StatusPart part = QuarantineView.status();
    var _ =
        http.list(
            part.source(), node -> Optional.ofNullable(part.read(node)).ifPresent(entries::add));
    return entries;
  }

  private List<HistoryStep> history(KubeHttp http, String node) {
    return QuarantineView.history(
            new HistoryReader(http, node, Optional.empty(), fixture.cluster().clock()))
        .stream()
        .flatMap(part -> part.steps().stream())
        .toList();
  }

  @Test
  void aQuarantineAndItsFailureAreShownAndThenTheRecovery() {
    String sick = fixture.addNode();
    String well = fixture.addNode();
    try (Operator operator = fixture.operator()) {
      KubeHttp http = operator.process().kube().http();
      String id = fixture.send(fault(sick));
      fixture.eventuallyStatus(id, "Quarantined");
      fixture.cluster().eventually().until(() -> history(http, sick).size() == 2);

      assertThat(status(http))
          .singleElement()
          .satisfies(
              entry -> {
                assertThat(entry.node()).isEqualTo(sick);
                assertThat(entry.state()).contains("Quarantined");
                assertThat(entry.waits()).containsExactly("recovery of GpuXidError (GPU 0)");
              });
      assertThat(history(http, sick))
          .extracting(HistoryStep::what)
          .containsExactlyInAnyOrder("Quarantined", "Unhealthy");
      assertThat(history(http, sick))
          .extracting(HistoryStep::story)
          .anyMatch(story -> story.contains("episode " + id))
          .anyMatch(story -> story.startsWith("GpuXidError: ErrorCode:79 GPU:0"));
      assertThat(history(http, well)).isEmpty();

      fixture.eventuallyStatus(fixture.send(recovery(sick)), "UnQuarantined");
      fixture
          .cluster()
          .eventually()
          .until(
              () -> history(http, sick).stream().map(HistoryStep::what).toList(),
              List.of("Healthy")::equals);
      assertThat(status(http)).isEmpty();
    }
  }
}
