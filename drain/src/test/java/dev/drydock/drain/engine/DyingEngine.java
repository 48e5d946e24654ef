package dev.drydock.drain.engine;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.testkit.DyingProcess;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that dies at its nth call: either before the request leaves, or after it was carried
 * out but before anybody learned the answer. Counts the evictions that were granted.
 */
final class DyingEngine extends DyingProcess {
  private final Map<String, AtomicInteger> evictions;

  DyingEngine(int lastCall, boolean carriesItOut, Map<String, AtomicInteger> evictions) {
    super(lastCall, carriesItOut, _ -> true);
    this.evictions = evictions;
  }

  @Override
  public void after(ApiCall call, int code) {
    if (call.verb() == Verb.CREATE && call.path().endsWith("/eviction") && code == 201) {
      String body = Objects.requireNonNull(call.body());
      evictions.computeIfAbsent(uid(body), uid -> new AtomicInteger()).incrementAndGet();
    }
    super.after(call, code);
  }

  private static String uid(String body) {
    return body.replaceAll("(?s).*\"uid\":\"([^\"]+)\".*", "$1");
  }
}
