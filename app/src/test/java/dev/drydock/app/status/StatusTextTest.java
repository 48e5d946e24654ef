package dev.drydock.app.status;

import static dev.drydock.app.status.StatusFixture.READY;
import static dev.drydock.app.status.StatusFixture.cordoned;
import static dev.drydock.app.status.StatusFixture.hold;
import static dev.drydock.app.status.StatusFixture.maintenance;
import static dev.drydock.app.status.StatusFixture.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatusTextTest {
  private static final Instant NOW = Instant.parse(StatusFixture.SINCE).plusSeconds(90);

  private static final FleetStatus FLEET =
      FleetStatus.of(
              new StatusSnapshot(
                  List.of(
                      node("n-10", READY),
                      cordoned("n-2", hold("notifymaintenance/ops/fw-n-2", ""), READY),
                      cordoned("n-1", hold("team/a", "a new disk, which is on its way"), READY)),
                  List.of(
                      maintenance("n-2", "fw", "Validating", "'waitingFor':'the validation Job',")),
                  Optional.of("stopped by user/x since then: smoke"),
                  List.of()))
          .withoutPlain();

  @Test
  void aMaintenanceOfANodeThatIsGoneIsNamed() {
    assertThat(
            StatusReader.withoutNode(
                List.of(node("n-1", READY)),
                List.of(
                    maintenance("n-1", "fw", "Validating", ""),
                    maintenance("n-2", "fw", "Validating", ""))))
        .containsExactly("NotifyMaintenance ops/fw-n-2 is for node n-2, which does not exist");
  }

  @Test
  void inAPipeEveryRowIsWhole() {
    assertThat(StatusText.lines(FLEET, NOW, 0, false))
        .containsExactly(
            "STOPPED: nothing new starts: stopped by user/x since then: smoke",
            "NODE   STATE        HOLDS         MAINTENANCE   SINCE   ETA   WAITS FOR",
            "n-1    held         team/a        -             90s     -     team/a to release it (a new disk, which is on its way)",
            "n-2    Validating   maintenance   fw (gpu)      90s     -     the validation Job",
            "3 nodes: 1 in service, 1 held, 1 Validating");
  }

  @Test
  void onANarrowTerminalWaitsStandBelow() {
    assertThat(StatusText.lines(FLEET, NOW, 64, false))
        .containsExactly(
            "STOPPED: nothing new starts: stopped by user/x since then: smoke",
            "NODE   STATE        HOLDS         MAINTENANCE   SINCE   ETA",
            "n-1    held         team/a        -             90s     -",
            "    team/a to release it (a new disk, which is on its way)",
            "n-2    Validating   maintenance   fw (gpu)      90s     -",
            "    the validation Job",
            "3 nodes: 1 in service, 1 held, 1 Validating");
  }

  @Test
  void onAVeryNarrowTerminalClassesAreLeftOut() {
    assertThat(StatusText.lines(FLEET, NOW, 57, false))
        .contains("n-2    Validating   maintenance   fw            90s     -");
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 40, 80, 100, 200})
  void nothingIsWiderThanTheTerminal(int width) {
    assertThat(StatusText.lines(FLEET, NOW, width, true))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
  }

  @Test
  void withRoomWaitsStandBesideAndGoOnBelow() {
    assertThat(StatusText.lines(FLEET, NOW, 95, false).get(2))
        .endsWith("team/a to release it (a new disk,");
    assertThat(StatusText.lines(FLEET, NOW, 95, false).get(3).strip())
        .isEqualTo("which is on its way)");
  }

  @Test
  void wideHasFullNames() {
    assertThat(StatusText.lines(FLEET, NOW, 0, true))
        .anySatisfy(
            line -> assertThat(line).contains("notifymaintenance/ops/fw-n-2", "ops/fw-n-2"));
  }

  @Test
  void aFleetInServiceIsOneLine() {
    FleetStatus fine =
        FleetStatus.of(StatusFixture.snapshot(List.of(node("n", READY)))).withoutPlain();

    assertThat(StatusText.lines(fine, NOW, 80, false)).containsExactly("1 node: 1 in service");
  }

  @Test
  void aChangeIsOneLine() {
    assertThat(StatusText.line(FLEET.nodes().getFirst(), NOW))
        .isEqualTo(
            "node/n-1 held; held by team/a; waits: team/a to release it (a new disk, which is on its way)");
  }
}
