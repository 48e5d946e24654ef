package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ShortText;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The pods of maintenances' Jobs: why one does not run, and the end of its log. */
final class JobPods implements AutoCloseable {
  private static final Duration CREATED = Duration.ofSeconds(10);
  private static final Duration NOT_CREATED = Duration.ofMinutes(1);
  private static final int LOG_LINES = 20;
  private static final int LONGEST_LINE = 500;
  private static final int LOG_BYTES = 8 * 1024;

  /** Containers wait for a moment with other reasons as well. */
  private static final Set<String> TROUBLES =
      Set.of(
          "ErrImagePull",
          "ImagePullBackOff",
          "InvalidImageName",
          "ErrImageNeverPull",
          "CreateContainerConfigError",
          "CreateContainerError",
          "RunContainerError",
          "CrashLoopBackOff");

  private final KubeHttp http;
  private final Watch<JobPod> pods;

  /**
   * One pod.
   *
   * @param job the UID of the Job that controls it
   * @param trouble why it does not run; empty if nothing is known to be wrong
   */
  private record JobPod(String name, String job, String node, String trouble) {}

  /**
   * @param changed told the node's name when something changed; empty for all nodes
   */
  JobPods(Kube kube, Consumer<String> changed) {
    http = kube.http();
    pods =
        kube.watches()
            .of(
                Watch.Kind.of(
                        Resource.PODS.all().labelSelector(JobObject.MAINTENANCE), JobPods::read)
                    .groupedBy(JobPod::job),
                MaintenanceCaches.waker(changed, JobPod::node));
  }

  void start() {
    pods.start();
  }

  private static JobPod read(JsonNode object) {
    String job =
        ApiObject.controller(object)
            .filter(owner -> text(owner, "kind").equals("Job"))
            .map(owner -> text(owner, "uid"))
            .orElse("");
    return new JobPod(
        text(object.path("metadata"), "name"),
        job,
        text(object.path("spec"), "nodeName"),
        inTheWay(object.path("status")));
  }

  /** Why a pod with this status does not run; empty if nothing is known to be wrong. */
  static String inTheWay(JsonNode status) {
    Optional<JsonNode> unscheduled = Conditions.of(status).get("PodScheduled", Conditions.FALSE);
    if (unscheduled.isPresent()) {
      return describe(text(unscheduled.get(), "reason"), text(unscheduled.get(), "message"));
    }
    for (String containers : List.of("initContainerStatuses", "containerStatuses")) {
      for (JsonNode container : status.path(containers)) {
        JsonNode waiting = container.path("state").path("waiting");
        if (TROUBLES.contains(text(waiting, "reason"))) {
          return describe(text(waiting, "reason"), text(waiting, "message"));
        }
      }
    }
    return text(status, "phase").equals("Failed") && status.hasNonNull("reason")
        ? describe(text(status, "reason"), text(status, "message"))
        : "";
  }

  private static String describe(String reason, String message) {
    return message.isEmpty() ? reason : reason + ": " + message;
  }

  /** Why a Job that has not ended does not get on; empty if nothing is known to be wrong. */
  String trouble(JobObject job, Instant now) {
    List<JobPod> own = pods.state(job.uid()).items();
    if (own.isEmpty()) {
      return lacksPod(job) && !now.isBefore(expected(job)) ? notCreated(job) : "";
    }
    return own.stream().map(JobPod::trouble).filter(why -> !why.isEmpty()).findFirst().orElse("");
  }

  /** When to ask again for what no watch shows, if a Job that has not ended lacks its pod. */
  Optional<Instant> askAgain(JobObject job, Instant now) {
    if (!lacksPod(job)) {
      return Optional.empty();
    }
    return Optional.of(now.isBefore(expected(job)) ? expected(job) : now.plus(NOT_CREATED));
  }

  private boolean lacksPod(JobObject job) {
    return pods.state().unsynced().isEmpty() && pods.state(job.uid()).items().isEmpty();
  }

  /** When a Job usually has its pod. */
  private static Instant expected(JobObject job) {
    return job.created().plus(CREATED);
  }

  /** Why a pod could not be created, which only an Event says. */
  private String notCreated(JobObject job) {
    String selector = "involvedObject.uid=" + job.uid() + ",reason=FailedCreate";
    KubeAnswer answer =
        http.send(
            ApiCall.list(
                Resource.EVENTS.collection(job.namespace())
                    + "?fieldSelector="
                    + ApiCall.encode(selector)));
    String last = "";
    for (JsonNode event : answer.body().path("items")) {
      last = describe(text(event, "reason"), text(event, "message"));
    }
    return last;
  }

  /** The end of a Job's log, within bounds; what cannot be read is said in place of it. */
  List<String> lastLogLines(JobObject job) {
    String path = Resource.PODS.collection(job.namespace());
    KubeAnswer list =
        http.send(
            ApiCall.list(
                path
                    + "?labelSelector="
                    + ApiCall.encode("batch.kubernetes.io/job-name=" + job.name())));
    Optional<String> pod = Optional.empty();
    for (JsonNode item : list.body().path("items")) {
      ApiObject each = ApiObject.of(item);
      pod = each.isOwnedBy(Resource.JOBS.kind(), job.uid()) ? Optional.of(each.name()) : pod;
    }
    if (pod.isEmpty()) {
      return List.of("no pod of Job " + job.name() + " is left to read the log of");
    }
    String bounds = "/log?tailLines=%d&limitBytes=%d".formatted(LOG_LINES, LOG_BYTES);
    KubeAnswer log = http.send(ApiCall.get(path + "/" + pod.get() + bounds));
    if (!log.ok()) {
      return List.of("the log of pod %s could not be read: %s".formatted(pod.get(), log.message()));
    }
    String lines = text(log.body(), "message");
    return bounded(lines.isEmpty() ? log.body().toString() : lines);
  }

  /** Also if the server keeps no bounds: the last lines, each cut, and not too many bytes. */
  static List<String> bounded(String log) {
    List<String> lines = log.lines().toList();
    List<String> kept = new ArrayList<>();
    int left = LOG_BYTES;
    for (int i = lines.size() - 1; i >= 0 && kept.size() < LOG_LINES; i--) {
      String line = ShortText.of(lines.get(i), LONGEST_LINE);
      left -= line.length();
      if (left < 0) {
        break;
      }
      kept.addFirst(line);
    }
    return kept;
  }

  @Override
  public void close() {
    pods.close();
  }
}
