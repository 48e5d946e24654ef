package dev.drydock.lifecycle;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes what an agent writes; an eviction that a budget refuses writes nothing. */
final class RecordedWrites implements RequestInterceptor {
  private final List<String> bodies = new CopyOnWriteArrayList<>();

  @Override
  public void before(ApiCall call) {
    if (isWrite(call) && !call.path().endsWith("/eviction")) {
      bodies.add(call.verb() + " " + call.path() + " " + Objects.toString(call.body(), ""));
    }
  }

  @Override
  public void after(ApiCall call, int code) {}

  static boolean isWrite(ApiCall call) {
    return switch (call.verb()) {
      case CREATE, PATCH, DELETE -> true;
      case GET, LIST, WATCH -> false;
    };
  }

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
