package dev.drydock.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.util.function.Consumer;
import java.util.function.Function;

/** An object exists but cannot be parsed. It is not gone, so work that depends on it waits. */
public final class UnreadableObject extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  private final String name;

  /**
   * @param what kind and name
   */
  public UnreadableObject(String what, String why) {
    super("%s cannot be read: %s".formatted(what, why));
    name = what;
  }

  /** Kind and name; namespace and name of an object in a list. */
  public String name() {
    return name;
  }

  /**
   * For reading a list: an object that cannot be read is reported and left out, so that the others
   * can be used.
   */
  public static <T> Consumer<JsonNode> leftOut(
      Function<JsonNode, T> reader, Consumer<T> read, Consumer<UnreadableObject> unreadable) {
    return object -> {
      T value;
      try {
        value = reader.apply(object);
      } catch (IllegalStateException | IllegalArgumentException | DateTimeException malformed) {
        JsonNode metadata = object.path("metadata");
        String namespace = Fields.text(metadata, "namespace");
        String name = Fields.text(metadata, "name");
        unreadable.accept(
            new UnreadableObject(
                namespace.isEmpty() ? name : namespace + "/" + name,
                String.valueOf(malformed.getMessage())));
        return;
      }
      read.accept(value);
    };
  }
}
