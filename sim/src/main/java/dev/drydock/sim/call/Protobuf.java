package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.fields.Schema;
import dev.drydock.sim.json.JsonTrees;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Events;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Scheduling;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts bodies in Kubernetes' protobuf encoding, which typed clients send, to JSON. Refuses
 * unknown content, so that nothing is lost.
 */
final class Protobuf {
  static final String TYPE = "application/vnd.kubernetes.protobuf";

  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private static final Map<String, FileDescriptor> GROUPS =
      Map.ofEntries(
          Map.entry("v1", V1.getDescriptor()),
          Map.entry("apps/v1", V1Apps.getDescriptor()),
          Map.entry("batch/v1", V1Batch.getDescriptor()),
          Map.entry("policy/v1", V1Policy.getDescriptor()),
          Map.entry("autoscaling/v1", V1Autoscaling.getDescriptor()),
          Map.entry("coordination.k8s.io/v1", V1Coordination.getDescriptor()),
          Map.entry("events.k8s.io/v1", V1Events.getDescriptor()),
          Map.entry("scheduling.k8s.io/v1", V1Scheduling.getDescriptor()),
          Map.entry("rbac.authorization.k8s.io/v1", V1Rbac.getDescriptor()),
          Map.entry("authorization.k8s.io/v1", V1Authorization.getDescriptor()),
          Map.entry("admissionregistration.k8s.io/v1", V1Admissionregistration.getDescriptor()));

  /**
   * Numbers and booleans for which zero differs from absent. All others are encoded even if unset.
   */
  private static final Set<String> ZERO_COUNTS =
      Set.of(
          "activeDeadlineSeconds",
          "allowPrivilegeEscalation",
          "automountServiceAccountToken",
          "backoffLimit",
          "completions",
          "enableServiceLinks",
          "gracePeriodSeconds",
          "immutable",
          "leaseTransitions",
          "parallelism",
          "partition",
          "priority",
          "progressDeadlineSeconds",
          "replicas",
          "revisionHistoryLimit",
          "runAsGroup",
          "runAsNonRoot",
          "runAsUser",
          "suspend",
          "terminationGracePeriodSeconds",
          "tolerationSeconds",
          "ttlSecondsAfterFinished");

  private Protobuf() {}

  static JsonNode read(byte[] body) throws IOException {
    if (body.length < MAGIC.length
        || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw refused("it does not start with the protobuf prefix");
    }
    ByteString content = ByteString.copyFrom(body, MAGIC.length, body.length - MAGIC.length);
    Message envelope = DynamicMessage.parseFrom(Unknown.getDescriptor(), content);
    Message typeMeta = (Message) part(envelope, "typeMeta");
    String apiVersion = part(typeMeta, "apiVersion").toString();
    String kind = part(typeMeta, "kind").toString();
    Descriptor type = typeOf(apiVersion, kind);
    if (type == null) {
      throw refused(kind + " in version " + apiVersion + " is only supported as JSON");
    }
    Message message = DynamicMessage.parseFrom(type, (ByteString) part(envelope, "raw"));
    ObjectNode object = JsonTrees.object().put("apiVersion", apiVersion).put("kind", kind);
    int slash = apiVersion.lastIndexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    Schema schema = Schema.ofKind(group, apiVersion.substring(slash + 1), kind);
    return fill(object, message, schema);
  }

  private static @Nullable Descriptor typeOf(String apiVersion, String kind) {
    if (kind.equals("DeleteOptions")) {
      return Meta.DeleteOptions.getDescriptor();
    }
    FileDescriptor group = GROUPS.get(apiVersion);
    return group == null ? null : group.findMessageTypeByName(kind);
  }

  private static ObjectNode fill(ObjectNode object, Message message, Schema schema)
      throws IOException {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      throw refused(
          "%s has fields of a newer version, numbered %s"
              .formatted(
                  message.getDescriptorForType().getName(),
                  message.getUnknownFields().asMap().keySet()));
    }
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      String name = field.getName();
      if (isEmbedded(field, schema)) {
        fill(object, (Message) entry.getValue(), schema);
      } else if (field.isMapField()) {
        object.set(name, map((List<?>) entry.getValue(), schema.field(name)));
      } else if (field.isRepeated()) {
        ArrayNode list = object.putArray(name);
        for (Object element : (List<?>) entry.getValue()) {
          list.add(value(element, schema.field(name).element()));
        }
      } else if (!isUnset(name, entry.getValue(), schema)) {
        object.set(name, value(entry.getValue(), schema.field(name)));
      }
    }
    return object;
  }

  /** Messages that JSON inlines into their parent. */
  private static boolean isEmbedded(FieldDescriptor field, Schema schema) {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        && !field.isRepeated()
        && schema.isStructure()
        && !schema.declares(field.getName());
  }

  private static boolean isUnset(String name, Object value, Schema schema) {
    boolean required = JsonTrees.texts(schema.type().path("required")).contains(name);
    return switch (value) {
      case String text -> text.isEmpty() && !required;
      case Boolean flag -> !flag && !required && !ZERO_COUNTS.contains(name);
      case Number number -> number.longValue() == 0 && !required && !ZERO_COUNTS.contains(name);
      case Message message ->
          message.getDescriptorForType().getName().endsWith("Time")
              && message.getAllFields().isEmpty();
      default -> false;
    };
  }

  private static ObjectNode map(List<?> entries, Schema schema) throws IOException {
    ObjectNode map = JsonTrees.object();
    for (Object entry : entries) {
      Message pair = (Message) entry;
      String key = part(pair, "key").toString();
      map.set(key, value(part(pair, "value"), schema.field(key)));
    }
    return map;
  }

  private static JsonNode value(Object value, Schema schema) throws IOException {
    JsonNodeFactory json = JsonNodeFactory.instance;
    return switch (value) {
      case String text -> json.textNode(text);
      case Boolean flag -> json.booleanNode(flag);
      case Integer number -> json.numberNode(number);
      case Long number -> json.numberNode(number);
      case Double number -> json.numberNode(number);
      case ByteString bytes ->
          json.textNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
      case Message message -> message(message, schema);
      default -> throw refused("no JSON equivalent for " + value.getClass());
    };
  }

  private static JsonNode message(Message message, Schema schema) throws IOException {
    JsonNodeFactory json = JsonNodeFactory.instance;
    return switch (message.getDescriptorForType().getName()) {
      case "Time", "MicroTime" -> {
        Instant time =
            Instant.ofEpochSecond(
                ((Number) part(message, "seconds")).longValue(),
                ((Number) part(message, "nanos")).longValue());
        yield json.textNode(time.toString());
      }
      case "Quantity" -> json.textNode(part(message, "string").toString());
      case "IntOrString" ->
          part(message, "type").equals(0L)
              ? json.numberNode((Integer) part(message, "intVal"))
              : json.textNode(part(message, "strVal").toString());
      case "RawExtension" -> raw(message, "raw");
      case "FieldsV1" -> raw(message, "Raw");
      case "Duration" -> throw refused("durations are only supported as JSON");
      default -> fill(JsonTrees.object(), message, schema);
    };
  }

  private static JsonNode raw(Message message, String field) throws IOException {
    return JsonTrees.MAPPER.readTree(((ByteString) part(message, field)).toByteArray());
  }

  private static Object part(Message message, String field) {
    return message.getField(message.getDescriptorForType().findFieldByName(field));
  }

  private static StatusException refused(String why) {
    return StatusException.unsupportedMediaType(
        "the body of the request cannot be read as " + TYPE + ": " + why);
  }
}
