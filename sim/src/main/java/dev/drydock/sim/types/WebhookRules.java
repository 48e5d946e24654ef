package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Webhook configurations. Refuses webhooks that the simulation cannot call, unless they may fail.
 */
final class WebhookRules implements BuiltInRules {
  private static final int TIMEOUT_SECONDS = 10;

  @Override
  public boolean hasStatus() {
    return false;
  }

  @Override
  public void beforeCreate(ObjectNode object) {
    fillIn(object);
  }

  @Override
  public void beforeUpdate(ObjectNode object, ObjectNode before) {
    fillIn(object);
  }

  private static void fillIn(ObjectNode configuration) {
    boolean mutating = JsonTrees.text(configuration, "kind").startsWith("Mutating");
    for (JsonNode each : configuration.path("webhooks")) {
      ObjectNode webhook = (ObjectNode) each;
      JsonTrees.putIfAbsent(webhook, "failurePolicy", "Fail");
      JsonTrees.putIfAbsent(webhook, "matchPolicy", "Equivalent");
      PodSpecs.putIfAbsent(webhook, "timeoutSeconds", TIMEOUT_SECONDS);
      JsonTrees.child(webhook, "namespaceSelector");
      JsonTrees.child(webhook, "objectSelector");
      if (mutating) {
        JsonTrees.putIfAbsent(webhook, "reinvocationPolicy", "Never");
      }
      webhook.path("rules").forEach(rule -> JsonTrees.putIfAbsent((ObjectNode) rule, "scope", "*"));
    }
  }

  @Override
  public List<Cause> validate(ObjectNode object, @Nullable ObjectNode before) {
    List<Cause> causes = new ArrayList<>();
    int index = 0;
    for (JsonNode webhook : object.path("webhooks")) {
      String at = "webhooks[%d]".formatted(index++);
      if (webhook.has("matchConditions")) {
        throw StatusException.notSimulated("webhooks with matchConditions");
      }
      if (JsonTrees.text(webhook, "reinvocationPolicy").equals("IfNeeded")) {
        throw StatusException.notSimulated("webhooks that are asked again (reinvocationPolicy)");
      }
      boolean service = JsonTrees.at(webhook, "clientConfig").has("service");
      if (service && !JsonTrees.text(webhook, "failurePolicy").equals("Ignore")) {
        throw StatusException.notSimulated("webhooks behind a service: give them a url");
      }
      if (!service && JsonTrees.text(webhook, "clientConfig", "url").isEmpty()) {
        causes.add(
            new Cause(
                "FieldValueRequired",
                at + ".clientConfig",
                "Required value: exactly one of url or service is required"));
      }
      String url = JsonTrees.text(webhook, "clientConfig", "url");
      if (!url.isEmpty() && !url.startsWith("https://")) {
        causes.add(
            Cause.invalid(
                at + ".clientConfig.url",
                "\"%s\": 'https' is the only allowed URL scheme; desired format: https://host[/path]"
                    .formatted(url.replaceFirst(":.*", ""))));
      }
      if (!List.of("None", "NoneOnDryRun").contains(JsonTrees.text(webhook, "sideEffects"))) {
        causes.add(
            Cause.unsupported(
                at + ".sideEffects",
                JsonTrees.text(webhook, "sideEffects"),
                "None",
                "NoneOnDryRun"));
      }
      if (!JsonTrees.texts(webhook.path("admissionReviewVersions")).contains("v1")) {
        causes.add(
            Cause.invalid(
                at + ".admissionReviewVersions",
                webhook.path("admissionReviewVersions")
                    + ": must include at least one of v1, v1beta1"));
      }
    }
    return causes;
  }
}
