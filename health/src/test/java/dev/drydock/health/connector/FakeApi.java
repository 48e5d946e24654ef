package dev.drydock.health.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Transport;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** An API server that knows tokens and nodes. */
public final class FakeApi implements Transport {
  /** Whose a token is. */
  public record Account(String user, String podUid, String node) {}

  private final Map<String, Account> tokens = new HashMap<>();
  private final Map<String, ObjectNode> nodes = new HashMap<>();
  private volatile boolean down;

  public FakeApi token(String token, Account account) {
    tokens.put(token, account);
    return this;
  }

  public FakeApi node(String name, String providerId, Map<String, String> labels) {
    ObjectNode node = Json.object();
    ObjectNode metadata = node.putObject("metadata").put("name", name);
    ObjectNode labelled = metadata.putObject("labels");
    labels.forEach(labelled::put);
    node.putObject("spec").put("providerID", providerId);
    nodes.put(name, node);
    return this;
  }

  public void down(boolean isDown) {
    down = isDown;
  }

  public Kube kube() {
    return new Kube(
        new KubeHttp(this, RequestInterceptor.NONE, KubeHttp.PAGE_SIZE, Duration.ofSeconds(5)),
        TimeSource.REAL);
  }

  @Override
  public KubeAnswer send(ApiCall call, Duration answerWithin) {
    if (down) {
      return new KubeAnswer(503, Json.object(), Optional.empty());
    }
    if (call.path().contains("tokenreviews")) {
      return new KubeAnswer(201, review(call), Optional.empty());
    }
    String name = call.path().substring(call.path().lastIndexOf('/') + 1);
    return nodes.containsKey(name)
        ? new KubeAnswer(200, nodes.get(name), Optional.empty())
        : new KubeAnswer(404, Json.object(), Optional.empty());
  }

  private ObjectNode review(ApiCall call) {
    try {
      JsonNode spec = Json.read(String.valueOf(call.body())).path("spec");
      ObjectNode answer = Json.object();
      ObjectNode status = answer.putObject("status");
      Account account = tokens.get(spec.path("token").asText());
      status.put("authenticated", account != null);
      if (account != null) {
        status.set("audiences", spec.path("audiences"));
        ObjectNode user = status.putObject("user").put("username", account.user());
        ObjectNode extra = user.putObject("extra");
        if (!account.podUid().isEmpty()) {
          extra.putArray("authentication.kubernetes.io/pod-uid").add(account.podUid());
        }
        if (!account.node().isEmpty()) {
          extra.putArray("authentication.kubernetes.io/node-name").add(account.node());
        }
      }
      return answer;
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }

  @Override
  public Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events) {
    return Stream.NONE;
  }

  @Override
  public void close() {}
}
