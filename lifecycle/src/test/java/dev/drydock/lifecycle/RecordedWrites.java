package dev.drydock.lifecycle;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.DyingProcess;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes what an agent writes; an eviction that a budget refuses writes nothing. */
final class RecordedWrites implements RequestInterceptor {
  private final List<String> bodies = new CopyOnWriteArrayList<>();

  @Override
  public void before(ApiCall call) {
    if (DyingProcess.isWrite(call) && !call.path().endsWith("/eviction")) {
      bodies.add(call.verb() + " " + call.path() + " " + Objects.toString(call.body(), ""));
    }
  }

  @Override
  public void after(ApiCall call, int code) {}

  /** Of the condition that tells where a transition stands. */
  long ofCondition() {
    return bodies.stream()
        .filter(body -> body.contains("/status ") && body.contains("Lifecycle Transition '"))
        .count();
  }

  List<String> since(int before) {
    return bodies.subList(before, bodies.size());
  }

  int all() {
    return bodies.size();
  }
}
