package dev.drydock.lifecycle.plugin;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Transport;
import dev.drydock.kube.time.TimeSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/** For tests of sockets: control loops without an API server. */
final class NoCluster implements Transport {
  private static final KubeAnswer NO_ANSWER = KubeAnswer.none("there is no cluster");

  private NoCluster() {}

  static Kube kube() {
    return kube(TimeSource.REAL);
  }

  /** With a clock that stands still; timers run. */
  static Kube kubeAt(Instant now) {
    return kube(new StoppedClock(Clock.fixed(now, ZoneOffset.UTC)));
  }

  private static Kube kube(TimeSource time) {
    return new Kube(
        new KubeHttp(
            new NoCluster(), RequestInterceptor.NONE, KubeHttp.PAGE_SIZE, Duration.ofSeconds(1)),
        time);
  }

  @Override
  public KubeAnswer send(ApiCall call, Duration answerWithin) {
    return NO_ANSWER;
  }

  @Override
  public Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events) {
    throw new AssertionError("a watch of nothing: " + call);
  }

  @Override
  public void close() {
    // holds nothing
  }

  private record StoppedClock(Clock clock) implements TimeSource {
    @Override
    public Duration elapsed() {
      return REAL.elapsed();
    }

    @Override
    public Timer schedule(Duration delay, Runnable work) {
      return REAL.schedule(delay, work);
    }
  }
}
