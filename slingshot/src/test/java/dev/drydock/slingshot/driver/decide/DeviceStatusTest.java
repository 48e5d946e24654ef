package dev.drydock.slingshot.driver.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.cxi.CXIDeviceStatus;
import dev.drydock.contracts.cxi.CXIDeviceStatus.Counters;
import dev.drydock.contracts.cxi.CXIDeviceStatus.FunctionType;
import dev.drydock.contracts.cxi.CXIDeviceStatus.Health;
import dev.drydock.contracts.cxi.CXIDeviceStatus.HealthStatus;
import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import dev.drydock.contracts.cxi.CXIDeviceStatus.RetryHandlerState;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.slingshot.driver.decide.DeviceObservation.DriverObservation;
import dev.drydock.slingshot.node.decide.CxiNic;
import dev.drydock.slingshot.node.decide.HandlerAbsence;
import dev.drydock.slingshot.node.decide.RetryHandlerProcess;
import dev.drydock.slingshot.node.decide.RetryStatistics;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceStatusTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final DriverObservation DRIVER =
      new DriverObservation(
          Optional.of("1.8.3"),
          Optional.empty(),
          Optional.of("sha"),
          "1.8.3",
          true,
          "Installed",
          "");

  private static CxiNic nic(LinkState link, long errors, String... restarts) {
    return new CxiNic(
        "cxi0",
        "0000:41:00.0",
        "1590:0371",
        FunctionType.pf,
        0,
        OptionalInt.of(0x12345),
        link,
        OptionalInt.of(200_000),
        "2.0",
        "rev",
        "1.0",
        "",
        true,
        new CxiNic.ErrorCounters(OptionalLong.of(1), OptionalLong.of(errors), List.of(restarts)));
  }

  private static DeviceObservation seen(CxiNic nic) {
    return new DeviceObservation(
        nic,
        Optional.of(new RetryHandlerProcess(7, "cxi0", Optional.empty())),
        Optional.of(new RetryStatistics(Map.of("nacks", 3L, "spt_timeouts", 2L, "spt_in_use", 1L))),
        true,
        Optional.empty(),
        Optional.empty(),
        DRIVER);
  }

  private static CXIDeviceStatus status(DeviceObservation seen, CXIDeviceStatus... before) {
    return DeviceStatus.of("node1", seen, List.of(before).stream().findFirst(), 0, NOW);
  }

  private static Health health(CXIDeviceStatus status) {
    return Objects.requireNonNull(status.health());
  }

  private static Counters counters(CXIDeviceStatus status) {
    return Objects.requireNonNull(status.counters());
  }

  @ParameterizedTest
  @CsvSource({"up, Healthy", "down, Unhealthy", "unknown, Unknown"})
  void theLinkIsTheHealth(LinkState link, HealthStatus health) {
    assertThat(health(status(seen(nic(link, 0)))).status()).isEqualTo(health);
  }

  @Test
  void whatIsKnownIsWritten() {
    CXIDeviceStatus status = status(seen(nic(LinkState.up, 0)));
    assertThat(status.driverVersion()).isEqualTo("1.8.3");
    assertThat(status.driverChecksum()).isEqualTo("sha");
    assertThat(status.nid()).isEqualTo(0x12345);
    assertThat(status.switchID()).isEqualTo(0x12340);
    RetryHandlerState handler = Objects.requireNonNull(status.retryHandler());
    assertThat(handler.enabled()).isTrue();
    assertThat(handler.policy()).isEqualTo("default");
    assertThat(handler.stats()).isEqualTo(new CXIDeviceStatus.RetryStats(5L, 2L, 3L, 1));
    assertThat(status.conditions())
        .extracting(Condition::type, Condition::status)
        .containsExactly(tuple(DeviceStatus.HANDLER_RUNNING, "True"), tuple("DriverReady", "True"));
  }

  @Test
  void anUnknownAddressIsLeftOut() {
    CxiNic nic =
        new CxiNic(
            "cxi0",
            "",
            "",
            FunctionType.pf,
            -1,
            OptionalInt.empty(),
            LinkState.up,
            OptionalInt.of(-1),
            "unknown",
            "",
            "",
            "",
            true,
            new CxiNic.ErrorCounters(OptionalLong.empty(), OptionalLong.empty(), List.of()));
    CXIDeviceStatus status = status(seen(nic));
    assertThat(status.nid()).isNull();
    assertThat(status.switchID()).isEqualTo(-1);
    assertThat(status.numaNode()).isEqualTo(-1);
    assertThat(status.linkSpeed()).isNull();
    assertThat(status.cassiniGeneration()).isNull();
    assertThat(status.pciAddress()).isNull();
  }

  @Test
  void theVersionIsTheBestThatIsKnown() {
    for (Map.Entry<DriverObservation, String> each :
        Map.of(
                new DriverObservation(
                    Optional.empty(),
                    Optional.of("1.7"),
                    Optional.empty(),
                    "1.8.3",
                    false,
                    "X",
                    ""),
                "1.7",
                new DriverObservation(
                    Optional.empty(), Optional.empty(), Optional.empty(), "1.8.3", false, "X", ""),
                "rev")
            .entrySet()) {
      DeviceObservation seen =
          new DeviceObservation(
              nic(LinkState.up, 0),
              Optional.empty(),
              Optional.empty(),
              false,
              Optional.empty(),
              Optional.empty(),
              each.getKey());
      assertThat(status(seen).driverVersion()).isEqualTo(each.getValue());
    }
  }

  @Test
  void anotherVersionThanTheWantedOneIsAWarning() {
    DeviceObservation seen =
        new DeviceObservation(
            nic(LinkState.up, 0),
            Optional.empty(),
            Optional.empty(),
            false,
            Optional.empty(),
            Optional.empty(),
            new DriverObservation(
                Optional.of("1.8.3"),
                Optional.of("1.7"),
                Optional.empty(),
                "1.8.3",
                true,
                "Installed",
                ""));
    assertThat(status(seen).conditions())
        .anyMatch(
            each ->
                each.type().equals("DriverVersionMismatch")
                    && each.message().equals("the module says 1.7, and 1.8.3 is wanted"));
  }

  @Test
  void errorsAndRestartsSinceTheLastCheckDegradeADeviceOnce() {
    CXIDeviceStatus first = status(seen(nic(LinkState.up, 4, "100.5")));
    assertThat(health(first).status())
        .as("they are older than the agent")
        .isEqualTo(HealthStatus.Healthy);
    assertThat(counters(first).linkFlaps()).isEqualTo(1);

    CXIDeviceStatus second = status(seen(nic(LinkState.up, 6, "102", "101.25", "100.5")), first);
    assertThat(health(second).status()).isEqualTo(HealthStatus.Degraded);
    assertThat(health(second).message())
        .isEqualTo(
            "2 uncorrectable PCIe errors since the last check, the link restarted 2 times since the last check");
    assertThat(counters(second).linkFlaps()).isEqualTo(3);
    assertThat(counters(second).lastLinkRestart()).isEqualTo("102");

    CXIDeviceStatus third = status(seen(nic(LinkState.up, 6, "102", "101.25")), second);
    assertThat(health(third).status()).isEqualTo(HealthStatus.Healthy);
    assertThat(counters(third).linkFlaps()).isEqualTo(3);

    // the module was loaded again
    CXIDeviceStatus fourth = status(seen(nic(LinkState.up, 0)), third);
    assertThat(health(fourth).status()).isEqualTo(HealthStatus.Healthy);
    assertThat(counters(fourth).linkFlaps()).isEqualTo(3);
  }

  @Test
  void aMissingHandlerOrDeviceFileAndAQuarantineAreSaid() {
    CxiNic up = nic(LinkState.up, 0);
    DeviceObservation unserved =
        new DeviceObservation(
            up,
            Optional.empty(),
            Optional.empty(),
            true,
            Optional.of(HandlerAbsence.parse("RetryHandlerBinaryMissing: there is no cxi_rh")),
            Optional.empty(),
            DRIVER);
    assertThat(health(status(unserved)))
        .isEqualTo(
            new Health(
                HealthStatus.Degraded,
                NOW.toString(),
                "no retry handler runs: there is no cxi_rh"));
    assertThat(handlerCondition(status(unserved)))
        .isEqualTo("False RetryHandlerBinaryMissing there is no cxi_rh");
    assertThat(handlerCondition(status(seen(up)))).isEqualTo("True Running ");
    DeviceObservation quarantined =
        new DeviceObservation(
            up,
            Optional.empty(),
            Optional.empty(),
            false,
            Optional.empty(),
            Optional.of("cxi_rh crashed"),
            DRIVER);
    assertThat(health(status(quarantined)).message()).isEqualTo("cxi_rh crashed");
    assertThat(health(status(quarantined)).status()).isEqualTo(HealthStatus.Unhealthy);
  }

  private static String handlerCondition(CXIDeviceStatus status) {
    return Objects.requireNonNull(status.conditions()).stream()
        .filter(each -> each.type().equals(DeviceStatus.HANDLER_RUNNING))
        .map(each -> each.status() + " " + each.reason() + " " + each.message())
        .findFirst()
        .orElse("none");
  }

  @Test
  void onlyNewsAreWrittenAndTheLastCheckNowAndThen() {
    CXIDeviceStatus before = status(seen(nic(LinkState.up, 0)));
    CXIDeviceStatus same =
        DeviceStatus.of(
            "node1", seen(nic(LinkState.up, 0)), Optional.of(before), 0, NOW.plusSeconds(30));
    assertThat(DeviceStatus.isNews(before, same, NOW.plusSeconds(30))).isFalse();
    assertThat(DeviceStatus.isNews(before, same, NOW.plus(DeviceStatus.LAST_CHECK))).isTrue();
    CXIDeviceStatus other = status(seen(nic(LinkState.down, 0)), before);
    assertThat(DeviceStatus.isNews(before, other, NOW)).isTrue();
  }

  @Test
  void labelsFollowTheNicsAndThoseOfOthersStay() {
    Map<String, String> present =
        Map.of(
            CxiNames.PRESENT,
            "true",
            CxiNames.DEVICE_COUNT,
            "2",
            "slingshot.hpe.com/cxi1-switch-id",
            "64",
            "slingshot.hpe.com/own",
            "x",
            "other/cxi1-switch-id",
            "y");
    assertThat(DeviceLabels.changes(present, List.of(nic(LinkState.up, 0)), 0))
        .containsOnlyKeys(
            CxiNames.DEVICE_COUNT, CxiNames.FIRST_SWITCH, "slingshot.hpe.com/cxi1-switch-id")
        .containsEntry(CxiNames.DEVICE_COUNT, "1")
        .containsEntry(CxiNames.FIRST_SWITCH, Integer.toString(0x12340))
        .containsEntry("slingshot.hpe.com/cxi1-switch-id", null);
    assertThat(DeviceLabels.changes(Map.of(), List.of(), 0))
        .containsEntry(CxiNames.PRESENT, "false")
        .containsEntry(CxiNames.DEVICE_COUNT, "0");
  }
}
