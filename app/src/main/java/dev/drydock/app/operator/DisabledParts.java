package dev.drydock.app.operator;

import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.StepObjects;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.Features;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parts that do not run because a CRD was missing when the process started. As soon as their CRDs
 * are installed the process ends, so that its next start runs them: otherwise it would lead, and
 * the requests of these parts would never be answered.
 */
final class DisabledParts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DisabledParts.class);
  private static final String LOOP = "disabled-parts";

  /** No watch shows a kind that does not exist. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  private final Kube kube;
  private final InstalledParts installed;
  private final List<Feature> disabled;
  private final Runnable end;
  private final ControlLoop loop;
  private final StepObjects turns;

  DisabledParts(Kube kube, Features wanted, Features on, Runnable end) {
    this.kube = kube;
    this.end = end;
    installed = new InstalledParts(kube.http());
    disabled =
        wanted.all().stream().filter(feature -> !on.parts().contains(feature.part())).toList();
    loop = kube.loop(LOOP, this::look);
    turns = kube.stepObjects(LOOP);
  }

  void start() {
    if (!disabled.isEmpty()) {
      loop.wake();
    }
  }

  private Instant look() {
    List<Feature> found = new ArrayList<>();
    for (Feature feature : disabled) {
      var _ =
          turns.run(
              feature.part(),
              () -> {
                if (installed.has(feature)) {
                  found.add(feature);
                }
              });
    }
    Instant next = turns.done(kube.clock().instant().plus(LOOK_AGAIN));
    if (found.isEmpty()) {
      return next;
    }
    LOG.warn(
        "the CRDs of part {} are installed now; this process ends, and its next start runs the part",
        found.getFirst().part());
    kube.time().execute(end); // which also closes this loop
    return Instant.MAX;
  }

  @Override
  public void close() {
    loop.close();
    turns.close();
  }
}
