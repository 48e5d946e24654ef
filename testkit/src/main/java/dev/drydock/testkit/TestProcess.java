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
 * Represents one process of production inside the test. It has its own connection, watches, loops
 * and time, and everything in it stops when it is killed or when something in it throws {@link
 * ProcessDeath}.
 */
public final class TestProcess implements AutoCloseable {
  private final AtomicBoolean dead = new AtomicBoolean();
  private final Kube kube;

  /**
   * @param transport created for the process's own time
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

  /** Like {@code kill -9}: nothing in it runs any more, and nothing is released. */
  public void kill() {
    dead.set(true);
    kube.close();
  }

  @Override
  public void close() {
    kill();
  }

  /** Runs nothing once the process is dead. */
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
    public Duration elapsed() {
      return time.elapsed();
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
