package dev.drydock.health.remediation.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.remediation.decide.AttemptEnd.Result;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random walks: whatever happens in whatever order, and wherever the process dies, it comes to
 * rest, makes nothing twice and never more than may be. The model checks that at each step.
 */
class RemediationWalkTest {
  private static final List<RecommendedAction> ACTIONS =
      List.of(
          RecommendedAction.RESTART_VM,
          RecommendedAction.COMPONENT_RESET,
          RecommendedAction.CONTACT_SUPPORT,
          RecommendedAction.NONE);

  private static final List<Result> RESULTS = List.of(Result.values());

  @Test
  void everyWalkComesToRest() {
    int made = 0;
    for (int seed = 0; seed < 2000; seed++) {
      made += walk(new Random(seed));
    }
    assertThat(made).as("the walks do something").isGreaterThan(2000);
  }

  private static int walk(Random random) {
    RemediationModel model = RemediationModel.limited(random.nextInt(4));
    for (int i = 0; i < 40; i++) {
      happen(model, random);
      if (random.nextInt(3) == 0) {
        model.carryOut(model.decide()); // and the process dies
      } else {
        model.settle();
      }
    }
    model.stopped = Optional.empty();
    model.quarantine.ifPresent(_ -> model.released(false));
    model.resources.replaceAll(
        (_, _) ->
            new ResourceProgress.Ended(new AttemptEnd(model.now, model.now, Result.DONE, "")));
    model.settle();
    assertThat(model.journal.isSettled()).isTrue();
    return model.made.size();
  }

  private static void happen(RemediationModel model, Random random) {
    model.pass(Duration.ofSeconds(random.nextInt(120)));
    switch (random.nextInt(7)) {
      case 0, 1 -> {
        var event = model.fault(ACTIONS.get(random.nextInt(ACTIONS.size())));
        model.drained(
            random.nextBoolean() ? event.entity("GPU_UUID", "g" + random.nextInt(2)) : event);
      }
      case 2 ->
          model.quarantine.ifPresent(
              present -> model.cleared(present.faults().getFirst().event().id()));
      case 3 -> model.quarantine.ifPresent(_ -> model.released(random.nextBoolean()));
      case 4 -> model.stopped = random.nextBoolean() ? Optional.of("stopped") : Optional.empty();
      case 5 ->
          model.journal.open().stream()
              .filter(attempt -> model.resources.containsKey(attempt.resource()))
              .findFirst()
              .ifPresent(attempt -> progress(model, attempt, random));
      default -> model.pass(Duration.ofHours(1));
    }
  }

  private static void progress(RemediationModel model, RemediationAttempt attempt, Random random) {
    Result result = RESULTS.get(random.nextInt(RESULTS.size()));
    switch (random.nextInt(4)) {
      case 0 -> model.resources.remove(attempt.resource());
      case 1 ->
          model.resources.put(
              attempt.resource(),
              new ResourceProgress.Pending(
                  attempt.at(), random.nextBoolean(), random.nextBoolean()));
      case 2 -> model.resources.put(attempt.resource(), new ResourceProgress.Unknown("no watch"));
      default ->
          model.resources.put(
              attempt.resource(),
              new ResourceProgress.Ended(new AttemptEnd(model.now, model.now, result, "")));
    }
  }
}
