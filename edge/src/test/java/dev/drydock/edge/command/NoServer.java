package dev.drydock.edge.command;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Transport;
import dev.drydock.kube.time.TimeSource;
import java.time.Duration;

/** An API server that never answers. */
final class NoServer implements Transport {
  /** The caller closes it. */
  static Kube kube() {
    return new Kube(
        new KubeHttp(
            new NoServer(), RequestInterceptor.NONE, KubeHttp.PAGE_SIZE, KubeHttp.ANSWER_WITHIN),
        TimeSource.REAL);
  }

  @Override
  public KubeAnswer send(ApiCall call, Duration answerWithin) {
    return KubeAnswer.none("no server");
  }

  @Override
  public Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events) {
    return Stream.NONE;
  }

  @Override
  public void close() {}
}
