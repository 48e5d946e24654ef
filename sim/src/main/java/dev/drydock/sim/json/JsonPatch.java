package dev.drydock.sim.json;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.zjsonpatch.CompatibilityFlags;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.util.EnumSet;

/** JSON patch (RFC 6902): a sequence of operations, all or none. */
public final class JsonPatch {
  private static final EnumSet<CompatibilityFlags> STRICT =
      EnumSet.of(CompatibilityFlags.FORBID_REMOVE_MISSING_OBJECT);

  private JsonPatch() {}

  /** The document after all operations; the given one is not modified. */
  public static JsonNode apply(JsonNode document, JsonNode operations) {
    try {
      return io.fabric8.zjsonpatch.JsonPatch.apply(operations, document, STRICT);
    } catch (JsonPatchException | IllegalArgumentException | IllegalStateException refused) {
      // the last two: a path that is none, or that does not fit a list
      throw new PatchRefused(String.valueOf(refused.getMessage()));
    }
  }
}
