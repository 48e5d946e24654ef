package dev.drydock.simulate.fleet;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The steps of a scenario, ordered by time.
 *
 * @param until when to stop, if nothing has settled before
 */
public record Scenario(List<ScenarioStep> steps, Optional<Duration> until) {
  public static final Scenario NOTHING = new Scenario(List.of(), Optional.empty());

  public Scenario {
    steps = steps.stream().sorted(Comparator.comparing(ScenarioStep::at)).toList();
  }
}
