package dev.drydock.kube;

import dev.drydock.kube.time.TimeSource;
import java.util.function.Function;

/**
 * Makes the control loops of one process and knows their health. A process that works with a
 * cluster has a {@link Kube} instead.
 */
public final class LoopFactory {
  private final TimeSource time;
  private final Health health;

  public LoopFactory(TimeSource time) {
    this.time = time;
    this.health = new Health(time);
  }

  public TimeSource time() {
    return time;
  }

  public Health health() {
    return health;
  }

  /** A loop that starts when it is first woken. */
  public ControlLoop loop(String name, ControlLoop.Step step) {
    return loop(name, "", ControlLoop.Debounce.NONE, step);
  }

  public ControlLoop loop(
      String name, String subject, ControlLoop.Debounce debounce, ControlLoop.Step step) {
    return new ControlLoop(kind(name, debounce), subject, step);
  }

  /** One loop per key, created when the key is first woken. */
  public <K> ControlLoops<K> loops(String name, Function<K, ControlLoops.Reconciler> factory) {
    return new ControlLoops<>(kind(name, ControlLoop.Debounce.NONE), factory);
  }

  private ControlLoop.Kind kind(String name, ControlLoop.Debounce debounce) {
    return new ControlLoop.Kind(time, health.loop(name), Backoff.DEFAULT, debounce);
  }
}
