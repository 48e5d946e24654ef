package dev.drydock.health.connector;

import com.google.protobuf.CodedOutputStream;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.event.EventMessages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Recognises a batch that is sent again because its answer was lost, also when the connector was
 * killed in between: the same events, generated at the same times, are the same batch.
 *
 * @param text begins with the time of the first event, if it has one: a store keeps keys in order,
 *     and new ones next to each other are written faster
 */
public record BatchKey(String text) {
  private static final int DIGEST_BYTES = 16;

  /**
   * Empty for a batch that cannot be recognised, as its events do not say when they were generated
   * and the caller gave it no key.
   */
  static Optional<BatchKey> of(List<HealthEvent> batch, List<String> callersKeys) {
    boolean timed = batch.stream().allMatch(event -> event.generatedTimestamp() != null);
    return timed || !callersKeys.isEmpty()
        ? Optional.of(new BatchKey(time(batch) + digest(batch, callersKeys)))
        : Optional.empty();
  }

  private static String time(List<HealthEvent> batch) {
    Instant first = batch.isEmpty() ? null : batch.getFirst().generatedTimestamp();
    return first == null ? "" : HexFormat.of().toHexDigits(first.getEpochSecond()) + "-";
  }

  private static String digest(List<HealthEvent> batch, List<String> callersKeys) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      callersKeys.forEach(key -> digest.update(key.getBytes(StandardCharsets.UTF_8)));
      digest.update(bytes(batch));
      return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new IllegalStateException(everyJavaHasIt);
    }
  }

  /** A text that is the same for equal batches in every process: maps have no order. */
  private static byte[] bytes(List<HealthEvent> batch) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      CodedOutputStream output = CodedOutputStream.newInstance(bytes);
      output.useDeterministicSerialization();
      EventMessages.batch(batch).writeTo(output);
      output.flush();
    } catch (IOException inMemory) {
      throw new UncheckedIOException(inMemory);
    }
    return bytes.toByteArray();
  }

  /** The events with the keys under which they are stored once. */
  public List<HealthEvent> on(List<HealthEvent> events) {
    List<HealthEvent> keyed = new ArrayList<>(events.size());
    for (HealthEvent event : events) {
      keyed.add(
          event.toBuilder()
              .metadata(HealthNames.IDEMPOTENCY_KEY, text + "#" + keyed.size())
              .build());
    }
    return keyed;
  }
}
