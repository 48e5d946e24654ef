package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.JsonTrees;

/** An admission request. */
record AdmissionRequest(ApiRequest request, Target target, String operation) {
  /** The resource, with its subresource if there is one. */
  String resource() {
    String plural = target.type().names().plural();
    return target.subresource().isEmpty() ? plural : plural + "/" + target.subresource();
  }

  /** The request without its objects. */
  ObjectNode question(String name) {
    ResourceType type = target.type();
    ObjectNode question = JsonTrees.object();
    for (String field : new String[] {"kind", "requestKind"}) {
      question.set(field, kind());
    }
    for (String field : new String[] {"resource", "requestResource"}) {
      question
          .putObject(field)
          .put("group", type.group())
          .put("version", type.version())
          .put("resource", type.names().plural());
    }
    if (!target.subresource().isEmpty()) {
      question.put("subResource", target.subresource());
      question.put("requestSubResource", target.subresource());
    }
    if (!name.isEmpty()) {
      question.put("name", name);
    }
    if (!target.namespace().isEmpty()) {
      question.put("namespace", target.namespace());
    }
    question.put("operation", operation);
    String user = request.user();
    ObjectNode userInfo = question.putObject("userInfo");
    userInfo.put("username", user.isEmpty() ? "admin" : user);
    userInfo.putArray("groups").add(user.isEmpty() ? "system:masters" : "system:authenticated");
    return question.put("dryRun", request.dryRun());
  }

  private ObjectNode kind() {
    ResourceType type = target.type();
    ObjectNode kind = JsonTrees.object();
    return switch (target.subresource()) {
      case "eviction" -> kind.put("group", "policy").put("version", "v1").put("kind", "Eviction");
      case "scale" -> kind.put("group", "autoscaling").put("version", "v1").put("kind", "Scale");
      case "binding" -> kind.put("group", "").put("version", "v1").put("kind", "Binding");
      default ->
          kind.put("group", type.group())
              .put("version", type.version())
              .put("kind", type.names().kind());
    };
  }
}
