package dev.drydock.drain.decide;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import java.util.List;
import java.util.Optional;

/**
 * The facts about a DrainRequest that a decision needs.
 *
 * @param generation counts the changes of its spec
 * @param complete the current condition that its clients wait for
 * @param counted the counts in its status
 */
public record DrainRequestFacts(
    String namespace,
    String name,
    long generation,
    boolean deleting,
    List<String> finalizers,
    DrainRequestSpec spec,
    Optional<Complete> complete,
    PodCount counted) {

  /** The condition, with its observed generation. */
  public record Complete(String status, String reason, long generation) {}

  public DrainRequestFacts {
    finalizers = List.copyOf(finalizers);
  }

  /** The holder name for its node. */
  public String holder() {
    return holder(namespace, name);
  }

  public static final String HOLDER_PREFIX = "drainrequest/";

  public static String holder(String namespace, String name) {
    return HOLDER_PREFIX + namespace + "/" + name;
  }

  boolean isClaimedByUs() {
    return finalizers.contains(DrainRequest.FINALIZER);
  }

  /** Whether a drain of this spec has begun, here or in an earlier process. */
  public boolean hasBegun() {
    return complete.filter(condition -> condition.generation() == generation).isPresent();
  }
}
