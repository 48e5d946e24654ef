package dev.drydock.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Records the evictions that operators were granted, by pod UID. */
final class Evictions {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SUCCESS = 2;
  private final List<String> granted = new CopyOnWriteArrayList<>();

  List<String> granted() {
    return granted;
  }

  private boolean note(ApiCall call, int code) {
    return call.path().endsWith("/eviction")
        && code / 100 == SUCCESS
        && granted.add(read(call).at("/deleteOptions/preconditions/uid").asText("without a UID"));
  }

  private static JsonNode read(ApiCall call) {
    try {
      return JSON.readTree(Objects.requireNonNullElse(call.body(), "{}"));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a request that is no JSON: " + call.body(), e);
    }
  }

  /** For an operator that is not killed. */
  RequestInterceptor noted() {
    return new RequestInterceptor() {
      @Override
      public void before(ApiCall call) {}

      @Override
      public void after(ApiCall call, int code) {
        var _ = note(call, code);
      }
    };
  }

  /**
   * For an operator that dies at its first eviction: the server grants it, and then none of the
   * operator's threads continues, not even to receive the answer. Before that, the operator has
   * recorded how many pods there are.
   */
  final class ProcessKiller implements RequestInterceptor {
    private final ChangeCounter changes;
    private final CountDownLatch counted = new CountDownLatch(1);
    private volatile boolean killed;

    ProcessKiller(ChangeCounter changes) {
      this.changes = changes;
    }

    boolean killed() {
      return killed;
    }

    @Override
    public void before(ApiCall call) {
      endIfKilled();
      if (call.path().endsWith("/eviction")) {
        try {
          counted.await();
        } catch (InterruptedException closed) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void after(ApiCall call, int code) {
      synchronized (this) {
        if (!killed && note(call, code)) {
          killed = true;
          changes.changed();
        }
      }
      endIfKilled();
      if (call.path().endsWith("/status") && read(call).at("/status/podsLeft").isInt()) {
        counted.countDown();
      }
    }

    /** A thread of a killed process never continues; a parked virtual thread blocks nothing. */
    private void endIfKilled() {
      while (killed) {
        LockSupport.park(this);
        var _ =
            Thread
                .interrupted(); // interrupted by the engine that is being closed; it would not park
        // again
      }
    }
  }
}
