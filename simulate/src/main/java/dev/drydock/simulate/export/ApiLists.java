package dev.drydock.simulate.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ProgressDisplay;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads lists page by page, so that a large cluster is never completely in memory. Not through the
 * kit, whose parser leaves out containers, affinity and tolerations of pods, which an export needs.
 */
final class ApiLists {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A list whose continue token expired is restarted, but not endlessly. */
  private static final int TRIES = 3;

  private final KubernetesClient client;
  private final ProgressDisplay progress;
  private final int pageSize;

  ApiLists(KubernetesClient client, ProgressDisplay progress, int pageSize) {
    this.client = client;
    this.progress = progress;
    this.pageSize = pageSize;
  }

  /** Receives the objects of a list; created again when the list is restarted. */
  <C extends Consumer<JsonNode>> C read(String what, String path, Supplier<C> collector) {
    progress.step("Reading " + what);
    for (int i = 0; i < TRIES; i++) {
      C objects = collector.get();
      if (pages(what, path, objects)) {
        return objects;
      }
    }
    throw new CommandFailure(
        "the list of %s grew too old %d times while it was read; try again with a larger --chunk-size"
            .formatted(what, TRIES));
  }

  private boolean pages(String what, String path, Consumer<JsonNode> objects) {
    String token = "";
    long read = 0;
    do {
      JsonNode page;
      try {
        page = page(path, token);
      } catch (KubernetesClientException failure) {
        if (failure.getCode() == HttpURLConnection.HTTP_GONE && !token.isEmpty()) {
          return false;
        }
        throw failure;
      }
      page.path("items").forEach(objects);
      read += page.path("items").size();
      long left = page.path("metadata").path("remainingItemCount").asLong(0);
      token = page.path("metadata").path("continue").asText("");
      if (!token.isEmpty()) {
        progress.detail(String.format(Locale.ROOT, "%,d of %,d %s", read, read + left, what));
      }
    } while (!token.isEmpty());
    return true;
  }

  private JsonNode page(String path, String token) {
    String more =
        token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
    String text = client.raw(path + "?limit=" + pageSize + more);
    try {
      return JSON.readTree(Objects.requireNonNullElse(text, "{}"));
    } catch (JsonProcessingException notJson) {
      throw new CommandFailure(
          "%s does not answer as an API server does: %s"
              .formatted(client.getMasterUrl(), notJson.getOriginalMessage()),
          notJson);
    }
  }
}
