package dev.drydock.drain.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.decide.DaemonSetLookup;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.time.TimeSource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What pods do not say of their controllers: each is read once, in the background, and kept for a
 * while; what could not be read is read again soon.
 */
final class OwnerLookups {
  private static final Duration FRESH = Duration.ofMinutes(1);

  /** Fewer are not worth a sweep. */
  static final int FEW = 500;

  static final Duration RETRY = Duration.ofSeconds(2);

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
    return look(path("apps/v1", namespace, "daemonsets", name), wake).map(OwnerLookups::daemonSet);
  }

  DaemonSetLookup daemonSetNow(String namespace, String name) {
    return daemonSet(http.send(ApiCall.get(path("apps/v1", namespace, "daemonsets", name))));
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
    return !new ApiFailure(answer.code(), "").passing();
  }

  /** An owner that is gone, or that may not be read, pins nothing as far as we can know. */
  private static boolean pins(KubeAnswer answer) {
    JsonNode template = answer.body().path("spec").path("template").path("spec");
    return !template.path("nodeName").asText("").isEmpty();
  }

  /** Of the controllers that have a pod template of their own. */
  private static Optional<String> templatePath(String namespace, Owner owner) {
    String plural =
        switch (owner.kind()) {
          case "ReplicaSet" -> "replicasets";
          case "StatefulSet" -> "statefulsets";
          case "ReplicationController" -> "replicationcontrollers";
          case "Job" -> "jobs";
          default -> "";
        };
    return plural.isEmpty()
        ? Optional.empty()
        : Optional.of(path(owner.apiVersion(), namespace, plural, owner.name()));
  }

  static boolean isDaemonSet(Owner owner) {
    return owner.kind().equals("DaemonSet") && owner.apiVersion().equals("apps/v1");
  }

  private static String path(String apiVersion, String namespace, String plural, String name) {
    String root = apiVersion.equals("v1") ? "/api/v1" : "/apis/" + apiVersion;
    return "%s/namespaces/%s/%s/%s".formatted(root, namespace, plural, name);
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
    return entry != null && time.now().isBefore(entry.until);
  }

  private Entry ask(String path, @Nullable Entry known) {
    Entry entry = new Entry(known == null ? null : known.answer.getNow(null));
    time.execute(
        () -> {
          KubeAnswer answer = http.send(ApiCall.get(path));
          boolean settled = answer.ok() || answer.code() == HttpURLConnection.HTTP_NOT_FOUND;
          entry.until = time.now().plus(settled ? FRESH : RETRY);
          entry.answer.complete(answer);
        });
    return entry;
  }

  /** One controller; {@code before} is the last answer while a new one is under way. */
  private static final class Entry {
    private final CompletableFuture<KubeAnswer> answer = new CompletableFuture<>();
    private final @Nullable KubeAnswer before;
    private volatile Instant until = Instant.MAX;

    Entry(@Nullable KubeAnswer before) {
      this.before = before;
    }
  }
}
