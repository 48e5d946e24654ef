package dev.drydock.maintenance.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.CommandFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestedMaintenanceTest {
  private static RequestedMaintenance request(String id) {
    return new RequestedMaintenance("ops", id, "planned", "gpu", null);
  }

  @ParameterizedTest
  @CsvSource({
    "fw-17, node-1, fw-17-node-1",
    "FW_17, node-1, fw-17-node-1",
    "a_.b, n.example.com, a.b-n.example.com",
  })
  void aNameTellsTaskAndNode(String id, String node, String name) {
    assertThat(request(id).name(node)).isEqualTo(name);
  }

  @Test
  void namesThatAreTooLongStayDifferent() {
    String node = "n".repeat(240);

    assertThat(request("fw-17-of-today").name(node + "a"))
        .hasSizeLessThanOrEqualTo(253)
        .isNotEqualTo(request("fw-17-of-today").name(node + "b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a b", "a/b", "ü"})
  void anIdThatCannotBePartOfALabelIsRefused(String id) {
    assertThatThrownBy(() -> RequestedMaintenance.checkId(id))
        .isInstanceOfSatisfying(
            CommandFailure.class, failure -> assertThat(failure.exitCode()).isEqualTo(2));
    assertThatThrownBy(() -> RequestedMaintenance.checkId("a".repeat(64)))
        .isInstanceOf(CommandFailure.class);
  }

  @Test
  void whatIsLeftOutIsNotInTheManifest() {
    assertThat(
            new RequestedMaintenance("ops", "a", "unplanned", null, null)
                .manifest("n")
                .path("spec")
                .toString())
        .isEqualTo(
            "{\"nodeObject\":\"n\",\"maintenanceID\":\"a\",\"maintenanceType\":\"unplanned\"}");
  }

  @Test
  void differencesOfWhatIsThereAreNamed() {
    RequestedMaintenance other =
        new RequestedMaintenance("ops", "a", "unplanned", null, "somebody");

    assertThat(request("a").differences("n", request("a").manifest("n"))).isEmpty();
    assertThat(request("a").differences("n", other.manifest("n")))
        .containsExactly("maintenanceType is unplanned", "maintenanceClass is not set");
  }
}
