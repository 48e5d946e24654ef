package dev.drydock.lifecycle.driver;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import java.util.ArrayList;
import java.util.List;

/**
 * The names under which a driver and its transitions are known. There have been two generations of
 * them; manifests of both work.
 *
 * @param uncordon several names of the same transition
 */
public record DriverNaming(String driver, String drain, List<String> uncordon) {
  private static final String SECOND_DRIVER = "kubectl-server-side-drain";

  /** The later names; some documents have one of them with another ending. */
  public static final DriverNaming SECOND =
      new DriverNaming(
          SECOND_DRIVER,
          "kssd-drain",
          List.of("kssd-maintenance-complete", "kssd-maintenance-completed"));

  public DriverNaming {
    uncordon = List.copyOf(uncordon);
  }

  /** The first names, which follow from that of the driver. */
  public static DriverNaming first(String driver) {
    return new DriverNaming(driver, driver, List.of(driver + "-uncordon"));
  }

  /** A transition, without its group. */
  record Transition(String name, String start, String end) {}

  List<Transition> transitions() {
    Transition draining =
        new Transition(drain, LifecycleNames.DRAIN_STARTED, LifecycleNames.DRAIN_COMPLETE);
    List<Transition> all = new ArrayList<>(List.of(draining));
    uncordon.forEach(
        name ->
            all.add(
                new Transition(
                    name, LifecycleNames.UNCORDONING, LifecycleNames.MAINTENANCE_COMPLETE)));
    return all;
  }
}
