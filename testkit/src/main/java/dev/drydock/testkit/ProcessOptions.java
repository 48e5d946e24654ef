package dev.drydock.testkit;

import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import io.fabric8.kubernetes.client.Config;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The options of a process.
 *
 * @param rights with which it connects; the cluster's own if empty. A simulated cluster looks only
 *     at whom it impersonates.
 * @param time its time, made from the cluster's
 */
public record ProcessOptions(
    RequestInterceptor interceptor, Optional<Config> rights, UnaryOperator<TimeSource> time) {
  public static ProcessOptions of(RequestInterceptor interceptor) {
    return new ProcessOptions(interceptor, Optional.empty(), UnaryOperator.identity());
  }

  public ProcessOptions withRights(Config other) {
    return new ProcessOptions(interceptor, Optional.of(other), time);
  }

  public ProcessOptions withTime(UnaryOperator<TimeSource> other) {
    return new ProcessOptions(interceptor, rights, other);
  }
}
