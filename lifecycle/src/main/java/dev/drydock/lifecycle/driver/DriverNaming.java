package dev.drydock.lifecycle.driver;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names under which a driver and its transitions are known. There have been two generations of
 * them; manifests of both work.
 *
 * @param drain several names of the same transition
 * @param uncordon likewise
 */
public record DriverNaming(String driver, List<String> drain, List<String> uncordon) {
  /** The later names; some documents have one of them with another ending. */
  public static final DriverNaming SECOND =
      new DriverNaming(
          "kubectl-server-side-drain",
          List.of("kssd-drain"),
          List.of("kssd-maintenance-complete", "kssd-maintenance-completed"));

  public DriverNaming {
    drain = List.copyOf(drain);
    uncordon = List.copyOf(uncordon);
  }

  /** The first names, which follow from that of the driver. */
  public static DriverNaming first(String driver) {
    return new DriverNaming(driver, List.of(driver), List.of(driver + "-uncordon"));
  }

  /**
   * All that a driver of this name is known by. A driver has one socket, so one that has the later
   * name itself gets the later transitions beside its own.
   *
   * @param later whether it serves the later names too
   */
  public static List<DriverNaming> of(String driver, boolean later) {
    DriverNaming own = first(driver);
    if (!later) {
      return List.of(own);
    }
    return driver.equals(SECOND.driver)
        ? List.of(
            new DriverNaming(
                driver, joined(own.drain, SECOND.drain), joined(own.uncordon, SECOND.uncordon)))
        : List.of(own, SECOND);
  }

  private static List<String> joined(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  /** A transition, without its group. */
  record Transition(String name, String start, String end) {}

  List<Transition> transitions() {
    List<Transition> all = new ArrayList<>();
    drain.forEach(
        name ->
            all.add(
                new Transition(name, LifecycleNames.DRAIN_STARTED, LifecycleNames.DRAIN_COMPLETE)));
    uncordon.forEach(
        name ->
            all.add(
                new Transition(
                    name, LifecycleNames.UNCORDONING, LifecycleNames.MAINTENANCE_COMPLETE)));
    return all;
  }
}
