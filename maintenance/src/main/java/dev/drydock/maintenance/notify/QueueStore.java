package dev.drydock.maintenance.notify;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.ResourceVersion;
import dev.drydock.kube.TryAgain;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The stored notices of one node. An unknown ConfigMap counts as absent: the first write creates it
 * and fails if it exists.
 *
 * <p>Not on {@code Latest}, which forgets an object that the watch no longer has: here it matters
 * whether an event about a deleted ConfigMap can still arrive, and whether a write without an
 * answer was done.
 */
final class QueueStore {
  private final String node;
  private final KubeHttp http;
  private final String namespace;

  /** Held while the API server is asked; one change at a time. */
  private final ReentrantLock writing = new ReentrantLock();

  /** Held for moments only. */
  private final ReentrantLock lock = new ReentrantLock();

  private QueueConfigMap known;
  private long doubts;
  private long settled;
  private String goneVersion = "";

  QueueStore(String node, KubeHttp http, String namespace) {
    this.node = node;
    this.http = http;
    this.namespace = namespace;
    known = QueueConfigMap.absent(node, "");
  }

  QueueConfigMap known() {
    lock.lock();
    try {
      return known;
    } finally {
      lock.unlock();
    }
  }

  /** The watch shows this; our own changes come back this way too. */
  void seen(QueueConfigMap stored) {
    lock.lock();
    try {
      if (stored.isNewerThan(known)) {
        known = stored;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The watch shows that it went; this was the last version it saw. */
  void gone(String version) {
    lock.lock();
    try {
      if (ResourceVersion.isNewer(version, goneVersion)) {
        goneVersion = version;
      }
      if (known.exists() && !ResourceVersion.isNewer(known.version(), version)) {
        doubts++;
      }
    } finally {
      lock.unlock();
    }
  }

  /** A list did not show it; that list may be older than what we know. */
  void missed(String listedAt) {
    lock.lock();
    try {
      if (known.exists()) {
        doubts++;
      } else if (!ResourceVersion.isNewer(known.version(), listedAt)) {
        goneVersion = known.version();
      }
    } finally {
      lock.unlock();
    }
  }

  private long doubt() {
    lock.lock();
    try {
      return ++doubts;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether nothing is stored, and no outdated watch event can arrive any more: a notice in such an
   * event, already delivered and deleted, would be delivered again.
   */
  boolean isSurelyEmpty() {
    lock.lock();
    try {
      return !known.exists()
          && doubts == settled
          && !ResourceVersion.isNewer(known.version(), goneVersion);
    } finally {
      lock.unlock();
    }
  }

  /** Reads what is stored if we are not sure. */
  QueueConfigMap refresh() {
    return refresh(http::send);
  }

  private QueueConfigMap refresh(Function<ApiCall, KubeAnswer> send) {
    writing.lock();
    try {
      QueueConfigMap before;
      long at;
      lock.lock();
      try {
        before = known;
        at = doubts;
        if (at == settled) {
          return before;
        }
      } finally {
        lock.unlock();
      }
      KubeAnswer answer = send.apply(ApiCall.get(QueueConfigMap.path(namespace, node)));
      QueueConfigMap read =
          answer.code() == HttpURLConnection.HTTP_NOT_FOUND
              ? before.deleted()
              : QueueConfigMap.of(node, answer.orThrow(what()));
      return learn(before, read, at);
    } finally {
      writing.unlock();
    }
  }

  /** What the watch showed since we asked may be newer than the answer. */
  private QueueConfigMap learn(QueueConfigMap before, QueueConfigMap after, long at) {
    lock.lock();
    try {
      if (known.equals(before) || after.isNewerThan(known)) {
        known = after;
      }
      settled = at;
      return known;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stores what the edit makes of what is stored; the edit is made again when somebody else was
   * faster.
   */
  void change(Function<QueueConfigMap, List<QueuedNotice>> edit) {
    writing.lock();
    try {
      change(http::send, edit);
    } finally {
      writing.unlock();
    }
  }

  /**
   * As {@link #change}, but waits at most this long for another change, and as long for an answer.
   */
  void changeWithin(Duration time, Function<QueueConfigMap, List<QueuedNotice>> edit) {
    try {
      if (!writing.tryLock(time.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new TryAgain(what() + ": another change is under way");
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new TryAgain(what() + ": stopped");
    }
    try {
      change(call -> http.send(call, time), edit);
    } finally {
      writing.unlock();
    }
  }

  private void change(
      Function<ApiCall, KubeAnswer> send, Function<QueueConfigMap, List<QueuedNotice>> edit) {
    var _ =
        Patch.retrying(
            what(),
            () -> {
              QueueConfigMap before = refresh(send);
              Optional<ApiCall> call = before.changeTo(edit.apply(before), namespace);
              boolean done = call.isEmpty() || write(before, call.get(), send);
              return Optional.of(before).filter(_ -> done);
            });
  }

  /** Returns false if the stored notices differ from the known ones. */
  private boolean write(QueueConfigMap before, ApiCall call, Function<ApiCall, KubeAnswer> send) {
    long at = doubt(); // until the answer arrives it is unknown whether the write was done
    KubeAnswer answer = send.apply(call);
    boolean changed = answer.code() == HttpURLConnection.HTTP_CONFLICT;
    boolean vanished = answer.code() == HttpURLConnection.HTTP_NOT_FOUND && before.exists();
    if (changed || vanished) {
      return false;
    }
    QueueConfigMap after =
        call.verb() == Verb.DELETE && answer.ok()
            ? before.deleted()
            : QueueConfigMap.of(node, answer.orThrow(what()));
    var _ = learn(before, after, at);
    return true;
  }

  private String what() {
    return "notices of node " + node;
  }
}
