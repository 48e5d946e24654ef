package dev.drydock.kube;

import java.time.Duration;

/** For tests without a server: every request throws. */
class NoTransport implements Transport {
  @Override
  public KubeAnswer send(ApiCall call, Duration answerWithin) {
    throw new AssertionError("nobody expected " + call);
  }

  @Override
  public Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events) {
    throw new AssertionError("nobody expected " + call);
  }

  @Override
  public void close() {}
}
