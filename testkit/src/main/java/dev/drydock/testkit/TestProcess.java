package dev.drydock.testkit;

import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Transport;
import dev.drydock.kube.time.TimeSource;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * What is one process in production, as a part of the test's. It has a connection, watches, loops
 * and a time of its own, and everything in it stops when it is killed, or when something in it dies
 * by {@link ProcessDeath}.
 */
public final class TestProcess implements AutoCloseable {
  private final AtomicBoolean dead = new AtomicBoolean();
  private final Kube kube;

  /**
   * @param transport made for the process's own time
   */
  TestProcess(
      TimeSource time, Function<TimeSource, Transport> transport, RequestInterceptor interceptor) {
    TimeSource own = new OwnTime(time);
    kube =
        new Kube(
            new KubeHttp(
                transport.apply(own), interceptor, KubeHttp.PAGE_SIZE, KubeHttp.ANSWER_WITHIN),
            own);
  }

  public Kube kube() {
    return kube;
  }

  public boolean isDead() {
    return dead.get();
  }

  /** As {@code kill -9}: nothing in it runs any more, and nothing is given back. */
  public void kill() {
    dead.set(true);
    kube.close();
  }

  @Override
  public void close() {
    kill();
  }

  /** Runs nothing for a process that is dead. */
  private final class OwnTime implements TimeSource {
    private final TimeSource time;

    OwnTime(TimeSource time) {
      this.time = time;
    }

    @Override
    public Clock clock() {
      return time.clock();
    }

    @Override
    public Timer schedule(Duration delay, Runnable work) {
      return time.schedule(
          delay,
          () -> {
            if (!dead.get()) {
              try {
                work.run();
              } catch (ProcessDeath death) {
                dead.set(true);
              }
            }
          });
    }
  }
}
