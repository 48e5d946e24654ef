package dev.drydock.slingshot.driver.decide;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.cxi.CXIDeviceStatus;
import dev.drydock.contracts.cxi.CXIDeviceStatus.Counters;
import dev.drydock.contracts.cxi.CXIDeviceStatus.Health;
import dev.drydock.contracts.cxi.CXIDeviceStatus.HealthStatus;
import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import dev.drydock.contracts.cxi.CXIDeviceStatus.RetryHandlerState;
import dev.drydock.contracts.cxi.CXIDeviceStatus.RetryStats;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.slingshot.node.decide.CxiNic;
import dev.drydock.slingshot.node.decide.HandlerAbsence;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The status of a CXIDevice, from what its node's agent sees and what it said before. */
public final class DeviceStatus {
  /** The type of the condition that says whether the driver is as it should be. */
  public static final String DRIVER_READY = "DriverReady";

  /** The type of the condition that warns of another version than the wanted one. */
  public static final String VERSION_MISMATCH = "DriverVersionMismatch";

  /** The type of the condition that says whether a retry handler runs, where one has to. */
  public static final String HANDLER_RUNNING = "RetryHandlerRunning";

  private static final HandlerAbsence UNEXPLAINED =
      new HandlerAbsence("NotRunning", "no retry handler runs");

  /** A check without news is written no more often than this. */
  static final Duration LAST_CHECK = Duration.ofMinutes(5);

  private static final int UNKNOWN_SWITCH = -1;

  private DeviceStatus() {}

  /**
   * What is to be written.
   *
   * @param before what is written, if anything is
   * @param mask of the switch's part of addresses; 0 for the usual one
   */
  public static CXIDeviceStatus of(
      String node,
      DeviceObservation seen,
      Optional<CXIDeviceStatus> before,
      int mask,
      Instant now) {
    CxiNic nic = seen.nic();
    Restarts restarts = Restarts.of(nic, before);
    OptionalInt nid = nic.nid();
    OptionalInt generation = nic.generation();
    return new CXIDeviceStatus(
        node,
        nic.name(),
        nic.type(),
        nic.pciAddress().isEmpty() ? null : nic.pciAddress(),
        nic.numaNode(),
        nid.isPresent() ? nid.getAsInt() : null,
        nic.switchId(mask).orElse(UNKNOWN_SWITCH),
        nic.speed().orElse(null),
        nic.link(),
        version(seen),
        seen.driver().checksum().orElse(null),
        generation.isPresent() ? generation.getAsInt() : null,
        retryHandler(seen),
        new Counters(
            restarts.count(),
            restarts.last(),
            number(nic.errors().pcieCorrectable()),
            number(nic.errors().pcieUncorrectable())),
        health(seen, before, restarts, now),
        conditions(seen, before, now));
  }

  private static @Nullable Long number(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : null;
  }

  private static String version(DeviceObservation seen) {
    return seen.driver()
        .installed()
        .or(() -> seen.driver().declared())
        .or(() -> Optional.of(seen.nic().driverRevision()).filter(text -> !text.isEmpty()))
        .orElse("unknown");
  }

  private static RetryHandlerState retryHandler(DeviceObservation seen) {
    return new RetryHandlerState(
        seen.handler().isPresent(),
        seen.handler().map(each -> each.policy()).orElse(null),
        seen.statistics()
            .map(
                counted ->
                    new RetryStats(
                        counted.total(),
                        counted.timeouts(),
                        counted.nacks(),
                        Math.clamp(counted.pending(), 0, Integer.MAX_VALUE)))
            .orElse(null));
  }

  /**
   * How often the link came back. The kernel remembers the last times only, so they are counted as
   * they are seen.
   *
   * @param fresh since the last check
   */
  private record Restarts(long count, @Nullable String last, int fresh) {
    static Restarts of(CxiNic nic, Optional<CXIDeviceStatus> before) {
      Optional<Counters> counted = before.map(CXIDeviceStatus::counters);
      Optional<BigDecimal> known = counted.map(Counters::lastLinkRestart).flatMap(Restarts::time);
      int fresh = 0;
      Optional<BigDecimal> newest = known;
      String last = counted.map(Counters::lastLinkRestart).orElse(null);
      for (String text : nic.errors().linkRestarts()) {
        Optional<BigDecimal> time = time(text);
        if (time.isPresent() && isLater(time.get(), known)) {
          fresh++;
          if (isLater(time.get(), newest)) {
            newest = time;
            last = text;
          }
        }
      }
      long earlier = counted.map(Counters::linkFlaps).orElse(0L);
      return new Restarts(earlier + fresh, last, counted.isPresent() ? fresh : 0);
    }

    private static boolean isLater(BigDecimal time, Optional<BigDecimal> than) {
      return than.filter(other -> time.compareTo(other) <= 0).isEmpty();
    }

    private static Optional<BigDecimal> time(String text) {
      return text.matches("\\d{1,18}(\\.\\d{1,18})?")
          ? Optional.of(new BigDecimal(text))
          : Optional.empty();
    }
  }

  private static Health health(
      DeviceObservation seen, Optional<CXIDeviceStatus> before, Restarts restarts, Instant now) {
    CxiNic nic = seen.nic();
    List<String> degraded = new ArrayList<>();
    if (seen.handlerExpected() && seen.handler().isEmpty()) {
      degraded.add(
          seen.absence()
              .map(why -> UNEXPLAINED.message() + ": " + why.message())
              .orElse(UNEXPLAINED.message()));
    }
    long errors = grown(nic, before);
    if (errors > 0) {
      degraded.add(errors + " uncorrectable PCIe errors since the last check");
    }
    if (restarts.fresh() > 0) {
      degraded.add("the link restarted %d times since the last check".formatted(restarts.fresh()));
    }
    Optional<String> broken =
        seen.quarantine()
            .or(() -> Optional.of("the link is down").filter(_ -> nic.link() == LinkState.down))
            .or(
                () ->
                    Optional.of("/dev/%s does not exist".formatted(nic.name()))
                        .filter(_ -> !nic.deviceFile()));
    String checked = now.truncatedTo(ChronoUnit.SECONDS).toString();
    if (broken.isPresent()) {
      return new Health(HealthStatus.Unhealthy, checked, broken.get());
    }
    if (nic.link() == LinkState.unknown) {
      return new Health(HealthStatus.Unknown, checked, "the state of the link cannot be read");
    }
    return degraded.isEmpty()
        ? new Health(HealthStatus.Healthy, checked, null)
        : new Health(HealthStatus.Degraded, checked, String.join(", ", degraded));
  }

  /** A counter that is smaller than before was reset. */
  private static long grown(CxiNic nic, Optional<CXIDeviceStatus> before) {
    OptionalLong now = nic.errors().pcieUncorrectable();
    Optional<Long> earlier = before.map(CXIDeviceStatus::counters).map(Counters::pcieUncorrectable);
    return now.isPresent() && earlier.isPresent()
        ? Math.max(0, now.getAsLong() - earlier.get())
        : 0;
  }

  private static List<Condition> conditions(
      DeviceObservation seen, Optional<CXIDeviceStatus> before, Instant now) {
    DeviceObservation.DriverObservation driver = seen.driver();
    List<Condition> conditions = new ArrayList<>();
    seen.quarantine()
        .ifPresent(
            reason ->
                conditions.add(
                    condition(CxiNames.HANDLER_CRASHED, true, "Quarantined", reason, before, now)));
    if (seen.handlerExpected()) {
      HandlerAbsence why =
          seen.handler().isPresent()
              ? new HandlerAbsence("Running", "")
              : seen.absence().orElse(UNEXPLAINED);
      conditions.add(
          condition(
              HANDLER_RUNNING,
              seen.handler().isPresent(),
              why.reason(),
              why.message(),
              before,
              now));
    }
    conditions.add(
        condition(DRIVER_READY, driver.ready(), driver.reason(), driver.message(), before, now));
    Optional<String> other = driver.declared().filter(version -> !version.equals(driver.wanted()));
    if (other.isPresent() && !driver.wanted().isEmpty()) {
      conditions.add(
          condition(
              VERSION_MISMATCH,
              true,
              "OtherVersion",
              "the module says %s, and %s is wanted".formatted(other.get(), driver.wanted()),
              before,
              now));
    }
    return conditions;
  }

  private static Condition condition(
      String type,
      boolean value,
      String reason,
      String message,
      Optional<CXIDeviceStatus> before,
      Instant now) {
    String status = value ? "True" : "False";
    String since =
        before.map(CXIDeviceStatus::conditions).stream()
            .flatMap(Collection::stream)
            .filter(each -> type.equals(each.type()) && status.equals(each.status()))
            .map(Condition::lastTransitionTime)
            .filter(Objects::nonNull)
            .findFirst()
            .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
    return new Condition(type, status, reason, message, since, null);
  }

  /** Whether it says anything new, or was not said for long. */
  public static boolean isNews(CXIDeviceStatus before, CXIDeviceStatus after, Instant now) {
    if (!unchecked(before).equals(unchecked(after))) {
      return true;
    }
    Health health = before.health();
    String last = health == null ? null : health.lastCheck();
    try {
      return last == null || !Instant.parse(last).plus(LAST_CHECK).isAfter(now);
    } catch (DateTimeException unreadable) {
      return true;
    }
  }

  private static CXIDeviceStatus unchecked(CXIDeviceStatus status) {
    Health health = status.health();
    return new CXIDeviceStatus(
        status.node(),
        status.device(),
        status.type(),
        status.pciAddress(),
        status.numaNode(),
        status.nid(),
        status.switchID(),
        status.linkSpeed(),
        status.linkState(),
        status.driverVersion(),
        status.driverChecksum(),
        status.cassiniGeneration(),
        status.retryHandler(),
        status.counters(),
        health == null ? null : new Health(health.status(), null, health.message()),
        status.conditions());
  }
}
