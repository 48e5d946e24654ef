package dev.drydock.serve.feature;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Source;
import org.jspecify.annotations.Nullable;

/** Objects that say something about nodes. */
public interface StatusPart {
  /** What they are called, in the plural. */
  String plural();

  Source source();

  /** What one of them says; null if nothing. */
  @Nullable StatusEntry read(JsonNode object);

  static StatusPart of(String plural, Source source, StatusReading reading) {
    return new StatusPart() {
      @Override
      public String plural() {
        return plural;
      }

      @Override
      public Source source() {
        return source;
      }

      @Override
      public @Nullable StatusEntry read(JsonNode object) {
        return reading.read(object);
      }
    };
  }

  /** Reads what an object says. */
  @FunctionalInterface
  interface StatusReading {
    @Nullable StatusEntry read(JsonNode object);
  }
}
