package dev.drydock.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.sim.json.JsonTrees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Plain requests to a server, with YAML bodies. */
final class Http implements AutoCloseable {
  record Answer(int code, JsonNode body) {
    String text(String... path) {
      return JsonTrees.text(body, path);
    }
  }

  private static final YAMLMapper YAML = new YAMLMapper();
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI server;

  Http(URI server) {
    this.server = server;
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send("GET", path, "application/json", "");
  }

  Answer post(String path, String body) throws IOException, InterruptedException {
    return send("POST", path, "application/json", body);
  }

  Answer put(String path, JsonNode body) throws IOException, InterruptedException {
    return send("PUT", path, "application/json", body.toString());
  }

  Answer merge(String path, String body) throws IOException, InterruptedException {
    return send("PATCH", path, "application/merge-patch+json", body);
  }

  Answer delete(String path) throws IOException, InterruptedException {
    return send("DELETE", path, "application/json", "");
  }

  Answer send(String method, String path, String type, String yaml)
      throws IOException, InterruptedException {
    String body = yaml.isEmpty() ? "" : YAML.readTree(yaml).toString();
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(path))
            .version(HttpClient.Version.HTTP_1_1)
            .header("Content-Type", type)
            .method(method, BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    return new Answer(response.statusCode(), JsonTrees.MAPPER.readTree(response.body()));
  }

  @Override
  public void close() {
    client.close();
  }
}
