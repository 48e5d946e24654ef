package dev.drydock.sim.table;

import static dev.drydock.sim.table.Column.AGE;
import static dev.drydock.sim.table.Column.CREATED_AT;
import static dev.drydock.sim.table.Column.NAME;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.LabelSelectors;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The columns of built-in types, as in kubectl. */
final class BuiltInColumns {
  private static final String TEMPLATE = "template";
  private static final Column CONTAINERS =
      Column.of("Containers", each -> ofPods(each, "name")).wide();
  private static final Column IMAGES = Column.of("Images", each -> ofPods(each, "image")).wide();
  private static final Column SELECTOR =
      Column.of("Selector", each -> selector(JsonTrees.at(each, "spec", "selector"))).wide();
  private static final List<Column> UNKNOWN = List.of(NAME, CREATED_AT);
  private static final Map<String, List<Column>> BY_KIND =
      Map.ofEntries(
          Map.entry("Pod", PodColumns.ALL),
          Map.entry("Node", NodeColumns.ALL),
          Map.entry("Event", EventColumns.ALL),
          Map.entry("Namespace", List.of(NAME, Column.at("Status", "status.phase"), AGE)),
          Map.entry(
              "Deployment",
              List.of(
                  NAME,
                  Column.of("Ready", BuiltInColumns::readyReplicas),
                  Column.number("Up-to-date", "status.updatedReplicas"),
                  Column.number("Available", "status.availableReplicas"),
                  AGE,
                  CONTAINERS,
                  IMAGES,
                  SELECTOR)),
          Map.entry("ReplicaSet", replicas()),
          Map.entry("ReplicationController", replicas()),
          Map.entry(
              "StatefulSet",
              List.of(
                  NAME,
                  Column.of("Ready", BuiltInColumns::readyReplicas),
                  AGE,
                  CONTAINERS,
                  IMAGES)),
          Map.entry(
              "DaemonSet",
              List.of(
                  NAME,
                  Column.number("Desired", "status.desiredNumberScheduled"),
                  Column.number("Current", "status.currentNumberScheduled"),
                  Column.number("Ready", "status.numberReady"),
                  Column.number("Up-to-date", "status.updatedNumberScheduled"),
                  Column.number("Available", "status.numberAvailable"),
                  Column.of("Node Selector", BuiltInColumns::nodeSelector).orNone(),
                  AGE,
                  CONTAINERS,
                  IMAGES,
                  SELECTOR)),
          Map.entry(
              "Job",
              List.of(
                  NAME,
                  Column.of("Status", BuiltInColumns::jobStatus),
                  Column.of("Completions", BuiltInColumns::completions),
                  new Column("Duration", "string", "", 0, BuiltInColumns::jobDuration),
                  AGE,
                  CONTAINERS,
                  IMAGES,
                  SELECTOR)),
          Map.entry(
              "PodDisruptionBudget",
              List.of(
                  NAME,
                  Column.at("Min Available", "spec.minAvailable").or("N/A"),
                  Column.at("Max Unavailable", "spec.maxUnavailable").or("N/A"),
                  Column.number("Allowed Disruptions", "status.disruptionsAllowed"),
                  AGE)),
          Map.entry("Lease", List.of(NAME, Column.at("Holder", "spec.holderIdentity"), AGE)),
          Map.entry("ConfigMap", List.of(NAME, Column.of("Data", each -> entries(each)), AGE)),
          Map.entry(
              "Secret",
              List.of(
                  NAME, Column.at("Type", "type"), Column.of("Data", each -> entries(each)), AGE)),
          Map.entry("ServiceAccount", List.of(NAME, AGE)),
          Map.entry(
              "PriorityClass",
              List.of(
                  NAME,
                  Column.number("Value", "value"),
                  Column.flag("Global-Default", "globalDefault"),
                  AGE,
                  Column.at("PreemptionPolicy", "preemptionPolicy"))),
          Map.entry("RoleBinding", bindings()),
          Map.entry("ClusterRoleBinding", bindings()),
          Map.entry("MutatingWebhookConfiguration", webhooks()),
          Map.entry("ValidatingWebhookConfiguration", webhooks()));

  private BuiltInColumns() {}

  static List<Column> of(String kind) {
    return BY_KIND.getOrDefault(kind, UNKNOWN);
  }

  private static List<Column> replicas() {
    return List.of(
        NAME,
        Column.number("Desired", "spec.replicas"),
        Column.number("Current", "status.replicas"),
        Column.number("Ready", "status.readyReplicas"),
        AGE,
        CONTAINERS,
        IMAGES,
        SELECTOR);
  }

  private static List<Column> bindings() {
    return List.of(
        NAME,
        Column.of(
            "Role",
            each ->
                JsonTrees.text(each, "roleRef", "kind")
                    + "/"
                    + JsonTrees.text(each, "roleRef", "name")),
        AGE,
        Column.of("Users", each -> subjects(each, "User")).wide(),
        Column.of("Groups", each -> subjects(each, "Group")).wide(),
        Column.of("ServiceAccounts", each -> subjects(each, "ServiceAccount")).wide());
  }

  private static List<Column> webhooks() {
    return List.of(
        NAME,
        new Column(
            "Webhooks",
            "integer",
            "",
            0,
            (each, _) -> JsonTrees.number(each.path("webhooks").size())),
        AGE);
  }

  private static String subjects(JsonNode binding, String kind) {
    return binding
        .path("subjects")
        .valueStream()
        .filter(subject -> JsonTrees.text(subject, "kind").equals(kind))
        .map(
            subject ->
                kind.equals("ServiceAccount")
                    ? JsonTrees.text(subject, "namespace") + "/" + JsonTrees.text(subject, "name")
                    : JsonTrees.text(subject, "name"))
        .collect(Collectors.joining(", "));
  }

  private static String ofPods(JsonNode workload, String field) {
    return JsonTrees.at(workload, "spec", TEMPLATE, "spec", "containers")
        .valueStream()
        .map(container -> JsonTrees.text(container, field))
        .collect(Collectors.joining(","));
  }

  private static String selector(JsonNode selector) {
    return LabelSelectors.text(LabelSelectors.ofAny(selector));
  }

  private static String nodeSelector(JsonNode daemonSet) {
    return labels(JsonTrees.at(daemonSet, "spec", TEMPLATE, "spec", "nodeSelector"));
  }

  private static String labels(JsonNode labels) {
    return labels.properties().stream()
        .map(label -> label.getKey() + "=" + label.getValue().asText())
        .sorted()
        .collect(Collectors.joining(","));
  }

  private static String readyReplicas(JsonNode workload) {
    return JsonTrees.at(workload, "status", "readyReplicas").asInt()
        + "/"
        + JsonTrees.at(workload, "spec", "replicas").asInt();
  }

  private static String entries(JsonNode object) {
    return Integer.toString(object.path("data").size() + object.path("binaryData").size());
  }

  private static String completions(JsonNode job) {
    int succeeded = JsonTrees.at(job, "status", "succeeded").asInt();
    JsonNode completions = JsonTrees.at(job, "spec", "completions");
    if (JsonTrees.isPresent(completions)) {
      return succeeded + "/" + completions.asInt();
    }
    int parallelism = JsonTrees.at(job, "spec", "parallelism").asInt();
    return succeeded + (parallelism > 1 ? "/1 of " + parallelism : "/1");
  }

  private static String jobStatus(JsonNode job) {
    for (String end : List.of("Complete", "Failed")) {
      if (JsonTrees.hasCondition(job, end)) {
        return end;
      }
    }
    if (JsonTrees.isPresent(JsonTrees.at(job, "metadata", "deletionTimestamp"))) {
      return "Terminating";
    }
    for (String state : List.of("Suspended", "FailureTarget", "SuccessCriteriaMet")) {
      if (JsonTrees.hasCondition(job, state)) {
        return state;
      }
    }
    return "Running";
  }

  private static JsonNode jobDuration(JsonNode job, Instant now) {
    String begin = JsonTrees.text(job, "status", "startTime");
    String end = JsonTrees.text(job, "status", "completionTime");
    if (begin.isEmpty()) {
      return Column.text("");
    }
    Instant until = end.isEmpty() ? now : Instant.parse(end);
    return Column.text(AgeColumn.of(Duration.between(Instant.parse(begin), until)));
  }

  static String lowerCase(String kind) {
    return kind.toLowerCase(Locale.ROOT);
  }
}
