package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonPatch;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.json.PatchRefused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls admission webhooks before a write: first the mutating ones, one after another, then the
 * validating ones. Holds no lock meanwhile, so webhooks may call the server.
 */
final class Admission implements AutoCloseable {
  private static final String GROUP = "admissionregistration.k8s.io";
  private static final String MUTATING = "mutatingwebhookconfigurations";
  private static final String VALIDATING = "validatingwebhookconfigurations";

  private final Registry registry;
  private final WebhookClient client = new WebhookClient();

  Admission(Registry registry) {
    this.registry = registry;
  }

  /** Whether any webhook has to be called. Writes of webhook configurations are exempt. */
  boolean concerns(AdmissionRequest admissionRequest) {
    return !admissionRequest.target().type().group().equals(GROUP)
        && Stream.of(MUTATING, VALIDATING)
            .flatMap(this::webhooks)
            .anyMatch(webhook -> webhook.isAbout(admissionRequest, registry));
  }

  /** The object after all mutating webhooks. All objects are in their served form. */
  ObjectNode mutate(
      AdmissionRequest admissionRequest, ObjectNode object, @Nullable ObjectNode old) {
    ObjectNode mutated = object;
    for (Webhook webhook : concerned(MUTATING, admissionRequest)) {
      if (webhook.selects(admissionRequest, mutated, old, registry)) {
        mutated = patched(mutated, ask(webhook, admissionRequest, mutated, old), webhook);
      }
    }
    return mutated;
  }

  /** Fails if a validating webhook denies the request. A deletion has only the old object. */
  void validate(
      AdmissionRequest admissionRequest, @Nullable ObjectNode object, @Nullable ObjectNode old) {
    for (Webhook webhook : concerned(VALIDATING, admissionRequest)) {
      if (webhook.selects(admissionRequest, object, old, registry)) {
        ask(webhook, admissionRequest, object, old);
      }
    }
  }

  /** Calls all webhooks about a deletion. */
  void delete(AdmissionRequest admissionRequest, ObjectNode old) {
    if (concerns(admissionRequest)) {
      for (Webhook webhook : concerned(MUTATING, admissionRequest)) {
        if (webhook.selects(admissionRequest, null, old, registry)) {
          ask(webhook, admissionRequest, null, old);
        }
      }
      validate(admissionRequest, null, old);
    }
  }

  private List<Webhook> concerned(String configurations, AdmissionRequest admissionRequest) {
    return webhooks(configurations)
        .filter(webhook -> webhook.isAbout(admissionRequest, registry))
        .toList();
  }

  private Stream<Webhook> webhooks(String configurations) {
    ResourceType type = registry.types().require(GROUP, configurations);
    return registry.store().list(type.resource(), null).objects().stream()
        .flatMap(configuration -> configuration.path("webhooks").valueStream())
        .map(Webhook::new);
  }

  /**
   * The answer of a webhook that allows the request; empty if it failed and its failurePolicy is
   * Ignore.
   */
  private JsonNode ask(
      Webhook webhook,
      AdmissionRequest admissionRequest,
      @Nullable ObjectNode object,
      @Nullable ObjectNode old) {
    ObjectNode about = object == null ? old : object;
    String name = about == null ? "" : JsonTrees.text(about, "metadata", "name");
    ObjectNode question = admissionRequest.question(name).put("uid", UUID.randomUUID().toString());
    question.set("object", object);
    question.set("oldObject", old);
    JsonNode answer;
    try {
      answer = client.ask(webhook, question);
    } catch (IOException | IllegalArgumentException e) {
      return failed(webhook, admissionRequest, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StatusException.internal("interrupted while calling webhook " + webhook.name());
    }
    JsonTrees.texts(answer.path("warnings")).forEach(admissionRequest.request()::warn);
    if (!answer.path("allowed").asBoolean()) {
      throw denied(webhook, answer.path("status"));
    }
    return answer;
  }

  private static JsonNode failed(Webhook webhook, AdmissionRequest admissionRequest, String why) {
    String told = "failed calling webhook \"%s\": %s".formatted(webhook.name(), why);
    if (!webhook.mayFail()) {
      throw StatusException.internal(told);
    }
    // a real server only logs this, but users of a simulation want to see it
    admissionRequest.request().warn(told);
    return JsonTrees.object();
  }

  private static StatusException denied(Webhook webhook, JsonNode status) {
    String by = "admission webhook \"%s\" denied the request".formatted(webhook.name());
    String message = JsonTrees.text(status, "message");
    String reason = JsonTrees.text(status, "reason");
    String why = message.isEmpty() ? reason : message;
    int code = Math.max(400, status.path("code").asInt());
    return new StatusException(
        code, reason, why.isEmpty() ? by + " without explanation" : by + ": " + why);
  }

  private static ObjectNode patched(ObjectNode object, JsonNode answer, Webhook webhook) {
    String patch = JsonTrees.text(answer, "patch");
    if (patch.isEmpty()) {
      return object;
    }
    try {
      byte[] operations = Base64.getDecoder().decode(patch);
      JsonNode changed =
          JsonPatch.apply(
              object, JsonTrees.MAPPER.readTree(new String(operations, StandardCharsets.UTF_8)));
      if (changed instanceof ObjectNode result) {
        return result;
      }
      throw new PatchRefused("it removes the object");
    } catch (IOException | IllegalArgumentException | PatchRefused e) {
      throw StatusException.internal(
          "the patch of webhook \"%s\" cannot be applied: %s"
              .formatted(webhook.name(), e.getMessage()));
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
