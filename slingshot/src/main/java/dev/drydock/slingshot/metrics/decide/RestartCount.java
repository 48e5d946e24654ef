package dev.drydock.slingshot.metrics.decide;

/**
 * Restarts since the exporter has started. What the supervisor counts begins again with each
 * supervisor, so only its increases count.
 *
 * @param last what was read
 */
public record RestartCount(long total, long last) {
  public static RestartCount first(long raw) {
    return new RestartCount(0, raw);
  }

  public RestartCount next(long raw) {
    return new RestartCount(total + Math.max(0, raw - last), raw);
  }
}
