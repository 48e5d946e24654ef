package dev.drydock.drain.engine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Carries actions out, each one request, within the concurrency limit of the engine. */
final class PodEvictions implements AutoCloseable {
  private final KubeHttp http;
  private final AdaptiveConcurrency concurrency;
  private final Map<String, String> evictionLabels;
  private final Duration answerWithin;

  PodEvictions(KubeHttp http, AdaptiveConcurrency concurrency, DrainEngine.Options options) {
    this.http = http;
    this.concurrency = concurrency;
    evictionLabels = options.evictionLabels();
    answerWithin = options.answerWithin();
  }

  /** Returns at once; the answer is delivered on any thread. */
  void start(Action action, Consumer<EvictionAnswer> answered) {
    concurrency.submit(
        () -> judge(action, http.send(request(action, evictionLabels, false), answerWithin)),
        answered);
  }

  /** Nothing that was not sent yet is sent any more. */
  @Override
  public void close() {
    concurrency.close();
  }

  /** Asks what the server would answer, without doing it. */
  EvictionAnswer dryRun(Action.OnPod action) {
    return judge(action, http.send(request(action, evictionLabels, true)));
  }

  private static EvictionAnswer judge(Action action, KubeAnswer answer) {
    if (answer.unanswered()) {
      return new EvictionAnswer.ServerInTrouble(answer.message());
    }
    return action instanceof Action.Evict
        ? EvictionAnswer.toEviction(ApiAnswers.of(answer))
        : EvictionAnswer.toDeletion(ApiAnswers.of(answer));
  }

  private static ApiCall request(
      Action action, Map<String, String> evictionLabels, boolean dryRun) {
    return switch (action) {
      case Action.Evict asked -> {
        PodRef pod = asked.pod();
        ObjectNode eviction = Json.object();
        eviction.put("apiVersion", "policy/v1").put("kind", "Eviction");
        ObjectNode metadata = eviction.putObject("metadata");
        metadata.put("name", pod.name()).put("namespace", pod.namespace());
        if (!evictionLabels.isEmpty()) {
          ObjectNode labels = metadata.putObject("labels");
          evictionLabels.forEach(labels::put);
        }
        eviction.set("deleteOptions", options(pod, asked.grace()));
        yield ApiCall.create(
            path(pod) + "/eviction" + (dryRun ? "?dryRun=All" : ""), eviction.toString());
      }
      case Action.Delete(PodRef pod, Optional<Duration> grace, var why, var bypassed) ->
          ApiCall.delete(path(pod), deletion(pod, grace, dryRun));
      case Action.ForceDelete(PodRef pod, var why, var bypassed) ->
          ApiCall.delete(path(pod), deletion(pod, Optional.of(Duration.ZERO), dryRun));
      case Action.TaintOutOfService(String node) -> {
        ObjectNode patch = Json.object();
        patch
            .putObject("spec")
            .putArray("taints")
            .addObject()
            .put("key", DrainNodeObject.OUT_OF_SERVICE)
            .put("value", "nodeshutdown")
            .put("effect", "NoExecute");
        yield ApiCall.strategicPatch(Resource.NODES.path("", node), patch.toString());
      }
    };
  }

  private static String path(PodRef pod) {
    return Resource.PODS.path(pod.namespace(), pod.name());
  }

  /** The server does not look at the query of a deletion that has a body. */
  private static String deletion(PodRef pod, Optional<Duration> grace, boolean dryRun) {
    ObjectNode options = options(pod, grace);
    if (dryRun) {
      options.putArray("dryRun").add("All");
    }
    return options.toString();
  }

  private static ObjectNode options(PodRef pod, Optional<Duration> grace) {
    ObjectNode options = Json.object();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.putObject("preconditions").put("uid", pod.uid());
    grace.ifPresent(time -> options.put("gracePeriodSeconds", time.toSeconds()));
    return options;
  }
}
