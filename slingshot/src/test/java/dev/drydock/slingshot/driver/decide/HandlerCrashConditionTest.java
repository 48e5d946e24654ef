package dev.drydock.slingshot.driver.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.cxi.CXIDeviceStatus;
import dev.drydock.contracts.cxi.CXIDeviceStatus.HealthStatus;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crash that the node's retry handler recorded is a condition, by which the operator acts. */
class HandlerCrashConditionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final FakeNics machine;

  HandlerCrashConditionTest(@TempDir Path folder) throws IOException {
    machine = FakeNics.create(folder, FakeNics.KERNEL, Clock.fixed(NOW, ZoneOffset.UTC));
    machine.add(FakeNic.numbered(0));
  }

  private CXIDeviceStatus status(Optional<String> quarantine) {
    return DeviceStatus.of(
        "node1",
        new DeviceObservation(
            machine.sysfs().nics().getFirst(),
            Optional.empty(),
            Optional.empty(),
            false,
            Optional.empty(),
            quarantine,
            new DeviceObservation.DriverObservation(
                Optional.empty(), Optional.empty(), Optional.empty(), "", true, "Installed", "")),
        Optional.empty(),
        0,
        NOW);
  }

  private static List<Condition> crashed(CXIDeviceStatus status) {
    return Objects.requireNonNull(status.conditions()).stream()
        .filter(each -> each.type().equals(CxiNames.HANDLER_CRASHED))
        .toList();
  }

  @Test
  void aCrashIsAConditionAndMakesTheDeviceUnhealthy() {
    CXIDeviceStatus status = status(Optional.of("cxi_rh was killed by signal 11"));

    assertThat(crashed(status))
        .singleElement()
        .satisfies(
            condition -> {
              assertThat(condition.status()).isEqualTo("True");
              assertThat(condition.message()).isEqualTo("cxi_rh was killed by signal 11");
            });
    assertThat(Objects.requireNonNull(status.health()).status()).isEqualTo(HealthStatus.Unhealthy);
  }

  @Test
  void withoutACrashThereIsNone() {
    assertThat(crashed(status(Optional.empty()))).isEmpty();
  }
}
