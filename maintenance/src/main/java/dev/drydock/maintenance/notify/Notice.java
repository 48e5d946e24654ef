package dev.drydock.maintenance.notify;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.SafeText;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.NotifyMaintenanceSpec;
import dev.drydock.kube.Json;
import dev.drydock.maintenance.decide.CompletionKind;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.NoticeEvent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Something happened to a maintenance, and everything a message about it needs. The same event of
 * the same maintenance has the same {@link #deduplicationId()}, in every process.
 *
 * @param completion on a completion: how the maintenance came to it
 */
public record Notice(NoticeEvent event, Instant at, CompletionKind completion, Subject subject) {
  /** The format of times in Go, which the ids of the original contain. */
  private static final DateTimeFormatter GO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss '+0000 UTC'").withZone(ZoneOffset.UTC);

  /**
   * The maintenance that a notice is about.
   *
   * @param client whom the notices are for
   */
  public record Subject(
      String namespace,
      String name,
      Instant created,
      String node,
      String maintenanceID,
      String maintenanceType,
      String client,
      Extras extras) {
    public Subject {
      client = client.isEmpty() ? MaintenanceNames.DEFAULT_CLIENT : client;
    }

    /** The subject of a maintenance, for the client that it names. */
    public static Subject of(MaintenanceFacts facts, String client) {
      MaintenanceFacts.Identity identity = facts.identity();
      NotifyMaintenanceSpec spec = facts.spec();
      NotifyMaintenanceSpec.Channels channels = spec.additionalMessageChannels();
      return new Subject(
          identity.namespace(),
          identity.name(),
          identity.created(),
          spec.nodeObject(),
          spec.maintenanceID(),
          spec.maintenanceType(),
          client,
          new Extras(
              orEmpty(spec.owner()),
              orEmpty(spec.metadataConfigmap()),
              facts.annotation(MaintenanceNames.OVERRIDES).orElse(""),
              channels == null ? "" : orEmpty(channels.amazonSNSTopicARN())));
    }

    private static String orEmpty(@Nullable String text) {
      return Objects.requireNonNullElse(text, "");
    }
  }

  /** What a maintenance need not have; empty if it does not. */
  public record Extras(
      String owner, String metadataConfigmap, String validationMetadataOverrides, String topicArn) {
    public static final Extras NONE = new Extras("", "", "", "");
  }

  public static Notice of(NoticeEvent event, Instant at, Subject subject) {
    return new Notice(event, at, CompletionKind.ORDINARY, subject);
  }

  public Notice completedBy(CompletionKind how) {
    return new Notice(event, at, how, subject);
  }

  public static Optional<NoticeEvent> event(String word) {
    return Stream.of(NoticeEvent.values()).filter(event -> event.word().equals(word)).findFirst();
  }

  public String node() {
    return subject.node();
  }

  /** One line for people. */
  public String text() {
    return SafeText.line(
        "Maintenance %s %s on [%s]"
            .formatted(subject.maintenanceID(), event.phrase(), subject.node()));
  }

  public String deduplicationId() {
    return md5(
        String.join(
            "/",
            subject.namespace(),
            subject.name(),
            subject.node(),
            event.word(),
            GO_TIME.format(subject.created())));
  }

  /** Messages of one group are kept in order. */
  public String groupId() {
    return md5(subject.node());
  }

  /** The text for clients of maintenances, in every channel that has room for it. */
  public ObjectNode payload() {
    ObjectNode payload = Json.object();
    payload.put("maintenanceID", SafeText.line(subject.maintenanceID()));
    payload.putArray("objects").add(SafeText.line(subject.node()));
    payload.put("event", event.word()).put("Message", text());
    payload.put("namespace", subject.namespace()).put("maintenanceObjectName", subject.name());
    putUnlessEmpty(payload, "metadataConfigmap", subject.extras().metadataConfigmap());
    putUnlessEmpty(
        payload, "validationMetadataOverrides", subject.extras().validationMetadataOverrides());
    putUnlessEmpty(payload, "owner", subject.extras().owner());
    switch (completion) {
      case ORDINARY -> {}
      case CANCELLED -> payload.put("cancelled", true);
      case ENDED_EARLY -> payload.put("endedEarly", true);
    }
    return payload;
  }

  /**
   * The payload for topics, byte for byte as their subscribers know it: without the key that the
   * original never sends, and with the characters escaped that Go escapes. In JSON these only occur
   * in strings.
   */
  public String topicBody() {
    ObjectNode payload = payload();
    payload.remove("validationMetadataOverrides");
    StringBuilder body = new StringBuilder();
    for (char letter : payload.toString().toCharArray()) {
      switch (letter) {
        case '<', '>', '&', '\u2028', '\u2029' -> body.append("\\u%04x".formatted((int) letter));
        default -> body.append(letter);
      }
    }
    return body.toString();
  }

  static void putUnlessEmpty(ObjectNode object, String field, String value) {
    if (!value.isEmpty()) {
      object.put(field, SafeText.lines(value));
    }
  }

  private static String md5(String text) {
    try {
      // It only names things: clients know the ids of this form.
      byte[] digest =
          MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java has MD5", missing);
    }
  }
}
