package dev.drydock.simulate.fleet;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What happens to a fleet, in the order of time.
 *
 * @param until when to stop looking, if things have not settled before
 */
public record Scenario(List<ScenarioStep> steps, Optional<Duration> until) {
  public static final Scenario NOTHING = new Scenario(List.of(), Optional.empty());

  public Scenario {
    steps = steps.stream().sorted(Comparator.comparing(ScenarioStep::at)).toList();
  }
}
