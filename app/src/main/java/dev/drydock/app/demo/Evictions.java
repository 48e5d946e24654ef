package dev.drydock.app.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.drain.kube.ApiCall;
import dev.drydock.drain.kube.CallHook;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** The evictions that operators were granted, by the UIDs of the pods. */
final class Evictions {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SUCCESS = 2;
  private final List<String> granted = new CopyOnWriteArrayList<>();

  List<String> granted() {
    return granted;
  }

  private boolean note(ApiCall call, int code) {
    String body = call.body();
    if (!call.path().endsWith("/eviction") || body == null || code / 100 != SUCCESS) {
      return false;
    }
    try {
      return granted.add(
          JSON.readTree(body).at("/deleteOptions/preconditions/uid").asText("without a UID"));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an eviction that is no JSON: " + body, e);
    }
  }

  /** For an operator that lives on. */
  CallHook noted() {
    return new CallHook() {
      @Override
      public void before(ApiCall call) {}

      @Override
      public void after(ApiCall call, int code) {
        var _ = note(call, code);
      }
    };
  }

  /**
   * For an operator that dies with its first eviction: the server has granted it, and from then on
   * none of the operator's threads does anything any more, not even learn of the answer.
   */
  final class DeadlyHook implements CallHook {
    private final News news;
    private volatile boolean killed;

    DeadlyHook(News news) {
      this.news = news;
    }

    boolean killed() {
      return killed;
    }

    @Override
    public void before(ApiCall call) {
      endIfKilled();
    }

    @Override
    public void after(ApiCall call, int code) {
      synchronized (this) {
        if (!killed && note(call, code)) {
          killed = true;
          news.tell();
        }
      }
      endIfKilled();
    }

    /** A thread of a process that was killed never goes on; virtual ones keep nobody waiting. */
    private void endIfKilled() {
      while (killed) {
        LockSupport.park(this);
        var _ = Thread.interrupted(); // by the engine that is being closed; it would not park again
      }
    }
  }
}
