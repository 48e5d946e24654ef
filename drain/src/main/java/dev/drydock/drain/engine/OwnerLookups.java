package dev.drydock.drain.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.decide.DaemonSetLookup;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Bugs;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.kube.time.TimeSource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Facts about the controllers of pods that are not in the pods: each controller is read once, in
 * the background, and kept for a while; failed reads are repeated soon.
 */
final class OwnerLookups {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerLookups.class);
  private static final Duration FRESH = Duration.ofMinutes(1);

  /** Fewer are not worth a sweep. */
  static final int FEW = 500;

  static final Duration RETRY = Duration.ofSeconds(2);
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final List<Resource> WITH_TEMPLATES =
      List.of(
          Resource.REPLICA_SETS,
          Resource.STATEFUL_SETS,
          Resource.REPLICATION_CONTROLLERS,
          Resource.JOBS);

  private final KubeHttp http;
  private final TimeSource time;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private volatile int sweepAt = FEW;

  OwnerLookups(KubeHttp http, TimeSource time) {
    this.http = http;
    this.time = time;
  }

  /** Absent while it is being found out; then {@code wake} runs when it is known. */
  Optional<DaemonSetLookup> daemonSet(String namespace, String name, Runnable wake) {
    return Resource.isName(name)
        ? look(Resource.DAEMON_SETS.path(namespace, name), wake).map(OwnerLookups::daemonSet)
        : Optional.of(new DaemonSetLookup.Missing());
  }

  DaemonSetLookup daemonSetNow(String namespace, String name) {
    return Resource.isName(name)
        ? daemonSet(http.send(ApiCall.get(Resource.DAEMON_SETS.path(namespace, name))))
        : new DaemonSetLookup.Missing();
  }

  private static DaemonSetLookup daemonSet(KubeAnswer answer) {
    return switch (answer.code()) {
      case HttpURLConnection.HTTP_OK -> new DaemonSetLookup.Exists();
      case HttpURLConnection.HTTP_NOT_FOUND -> new DaemonSetLookup.Missing();
      default -> new DaemonSetLookup.Failed(answer.message());
    };
  }

  /** Whether its template names a node; absent while it is not known. */
  Optional<Boolean> pins(String namespace, Owner owner, Runnable wake) {
    return templatePath(namespace, owner)
        .map(path -> look(path, wake).filter(OwnerLookups::isSettled).map(OwnerLookups::pins))
        .orElse(Optional.of(false));
  }

  boolean pinsNow(String namespace, Owner owner) {
    return templatePath(namespace, owner)
        .map(path -> pins(http.send(ApiCall.get(path))))
        .orElse(false);
  }

  private static boolean isSettled(KubeAnswer answer) {
    return !answer.isRetriable();
  }

  /** An owner that is gone, or that may not be read, pins nothing as far as we can know. */
  private static boolean pins(KubeAnswer answer) {
    JsonNode template = answer.body().path("spec").path("template").path("spec");
    return !template.path("nodeName").asText("").isEmpty();
  }

  /** The path of a controller that has a pod template of its own. */
  private static Optional<String> templatePath(String namespace, Owner owner) {
    return WITH_TEMPLATES.stream()
        .filter(kind -> kind.kind().equals(owner.kind()))
        .filter(kind -> kind.apiVersion().equals(owner.apiVersion()))
        .filter(_ -> Resource.isName(owner.name()))
        .map(kind -> kind.path(namespace, owner.name()))
        .findFirst();
  }

  static boolean isDaemonSet(Owner owner) {
    return owner.kind().equals("DaemonSet") && owner.apiVersion().equals("apps/v1");
  }

  private Optional<KubeAnswer> look(String path, Runnable wake) {
    Entry entry = entries.compute(path, (key, known) -> isFresh(known) ? known : ask(key, known));
    if (!entry.answer.isDone()) {
      var _ = entry.answer.thenRun(wake);
    }
    if (entries.size() > sweepAt) {
      sweep();
    }
    return Optional.ofNullable(entry.answer.getNow(entry.before));
  }

  /** Forgets what would be read again anyway, so that only what is in use is kept. */
  private void sweep() {
    entries.values().removeIf(entry -> !isFresh(entry));
    sweepAt = Math.max(FEW, 2 * entries.size());
  }

  int kept() {
    return entries.size();
  }

  private boolean isFresh(@Nullable Entry entry) {
    return entry != null && time.elapsed().compareTo(entry.until) < 0;
  }

  private Entry ask(String path, @Nullable Entry known) {
    Entry entry = new Entry(known == null ? null : known.answer.getNow(null));
    time.execute(() -> complete(path, entry));
    return entry;
  }

  /** Ends with an answer, whatever happens: whoever waits for it would wait for ever. */
  private void complete(String path, Entry entry) {
    KubeAnswer answer = KubeAnswer.none("the request was not made");
    try {
      answer = Bugs.call(() -> http.send(ApiCall.get(path)), OwnerLookups::broke);
    } finally {
      boolean settled = answer.ok() || answer.code() == HttpURLConnection.HTTP_NOT_FOUND;
      entry.until = time.elapsed().plus(settled ? FRESH : RETRY);
      entry.answer.complete(answer);
    }
  }

  private static KubeAnswer broke(Throwable bug) {
    LOG.error("an owner could not be looked up", bug);
    return KubeAnswer.none("internal error: " + bug);
  }

  /** One controller; {@code before} is the last answer while a new one is under way. */
  private static final class Entry {
    private final CompletableFuture<KubeAnswer> answer = new CompletableFuture<>();
    private final @Nullable KubeAnswer before;
    private volatile Duration until = FOREVER;

    Entry(@Nullable KubeAnswer before) {
      this.before = before;
    }
  }
}
