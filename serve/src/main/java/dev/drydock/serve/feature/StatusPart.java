package dev.drydock.serve.feature;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Source;
import org.jspecify.annotations.Nullable;

/**
 * Objects that say something about nodes.
 *
 * @param kind of the objects and of what they say
 * @param rank the lowest of its entries; parts of a higher rank are read and shown first
 */
public record StatusPart(String kind, int rank, Source source, Reader reader) {
  /** Entries about tasks. */
  public StatusPart(String kind, Source source, Reader reader) {
    this(kind, StatusEntry.TASK, source, reader);
  }

  /** Reads what one of them says; null if nothing. */
  @FunctionalInterface
  public interface Reader {
    @Nullable StatusEntry read(JsonNode object);
  }

  public @Nullable StatusEntry read(JsonNode object) {
    return reader.read(object);
  }
}
