package dev.drydock.testkit;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Health;
import dev.drydock.kube.Kube;
import dev.drydock.kube.LoopHealth;
import dev.drydock.kube.RequestInterceptor;
import java.util.function.Predicate;

/**
 * A bug that the steps of one control loop meet until it is mended. A test of the whole product
 * requires {@link #staysIn} for every control loop.
 */
public final class LoopBug implements RequestInterceptor {
  private volatile Predicate<ApiCall> requests = _ -> false;
  private volatile boolean mended;

  /** Met by these requests. */
  public LoopBug at(Predicate<ApiCall> these) {
    requests = these;
    return this;
  }

  /** Met by writes to paths that contain this. */
  public LoopBug atWritesTo(String path) {
    return at(call -> DyingProcess.isWrite(call) && call.path().contains(path));
  }

  /** Throws unless it is mended, for what a step does without a request. */
  public void strike() {
    if (!mended) {
      throw new IllegalStateException("a bug made by the test");
    }
  }

  @Override
  public void before(ApiCall call) {
    if (requests.test(call)) {
      strike();
    }
  }

  @Override
  public void after(ApiCall call, int code) {}

  /**
   * Proves that the bug harms one object only: it is counted and shown in health while the others
   * are served; once it is mended the object is served, too, without a restart.
   *
   * @param loop the name of the control loop
   * @param others asserts that others are served, and the object with the bug is not
   * @param served asserts that the object is served
   */
  public void staysIn(
      String loop,
      Kube kube,
      Eventually eventually,
      Eventually.Assertion others,
      Eventually.Assertion served) {
    staysIn(loop, kube.health(), eventually, others, served);
  }

  /** The same in a process without a cluster. */
  public void staysIn(
      String loop,
      Health health,
      Eventually eventually,
      Eventually.Assertion others,
      Eventually.Assertion served) {
    boolean[] shown = new boolean[1];
    eventually.untilAsserted(
        () -> {
          shown[0] |= isShown(loop, health);
          require(shown[0], "health does not name " + loop, health);
          require(failures(loop, health) > 0, "nothing is counted for " + loop, health);
          others.check();
        });
    mended = true;
    eventually.untilAsserted(served);
    eventually.untilAsserted(
        () -> require(health.degraded().isEmpty(), "something still fails", health));
    require(health.stuck().isEmpty(), "a loop is stuck", health);
  }

  private static boolean isShown(String loop, Health health) {
    return health.degraded().stream()
        .filter(line -> line.startsWith(loop + " ") || line.startsWith(loop + ":"))
        .anyMatch(line -> line.contains("unexpected exception"));
  }

  /** What the metric drydock_control_loop_failures_total says. */
  private static long failures(String loop, Health health) {
    return health.loops().stream()
        .filter(each -> each.name().equals(loop))
        .mapToLong(LoopHealth::failures)
        .sum();
  }

  private static void require(boolean holds, String otherwise, Health health) {
    if (!holds) {
      throw new AssertionError("%s: %s".formatted(otherwise, health.degraded()));
    }
  }
}
