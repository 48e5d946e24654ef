package dev.drydock.simulate.export;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ProgressDisplay;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import java.net.HttpURLConnection;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Reads lists page by page, so that a large cluster is never completely in memory. */
final class ApiLists {
  /** A list whose continue token expired is restarted, but not endlessly. */
  private static final int TRIES = 3;

  private final KubeHttp http;
  private final ProgressDisplay progress;

  ApiLists(KubeHttp http, ProgressDisplay progress) {
    this.http = http;
    this.progress = progress;
  }

  /** Receives the objects of a list; created again when the list is restarted. */
  <C extends Consumer<JsonNode>> C read(String what, Source source, Supplier<C> collector) {
    progress.step("Reading " + what);
    for (int i = 0; i < TRIES; i++) {
      C objects = collector.get();
      AtomicLong read = new AtomicLong();
      KubeAnswer answer = http.list(source, objects, page -> show(what, page, read));
      if (answer.code() != HttpURLConnection.HTTP_GONE) {
        if (!answer.orThrow("list of " + what).has("items")) {
          throw new CommandFailure(
              "this does not answer as an API server does: " + answer.message());
        }
        return objects;
      }
    }
    throw new CommandFailure(
        "the list of %s grew too old %d times while it was read; try again with a larger --chunk-size"
            .formatted(what, TRIES));
  }

  private void show(String what, KubeAnswer page, AtomicLong before) {
    long read = before.addAndGet(page.body().path("items").size());
    long left = page.body().path("metadata").path("remainingItemCount").asLong(0);
    if (!KubeHttp.continuation(page).isEmpty()) {
      progress.detail(String.format(Locale.ROOT, "%,d of %,d %s", read, read + left, what));
    }
  }
}
