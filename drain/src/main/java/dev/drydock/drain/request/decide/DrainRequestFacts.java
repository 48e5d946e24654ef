package dev.drydock.drain.request.decide;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.drain.hold.decide.EarlierDrain;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The facts about a DrainRequest that a decision needs.
 *
 * @param uid tells it from another one that got its name later
 * @param generation counts the changes of its spec
 * @param drainerAnnotation names the drainer where the cluster's definition of DrainRequests does
 *     not keep {@code spec.drainer}
 * @param complete the current condition that its clients wait for
 * @param counted as last written into its status
 * @param problem why it cannot be served; then only node and drainer of its spec are known
 * @param notice whether somebody has taken notice of it
 */
public record DrainRequestFacts(
    String namespace,
    String name,
    String uid,
    long generation,
    boolean deleting,
    List<String> finalizers,
    Optional<String> drainerAnnotation,
    DrainRequestSpec spec,
    Optional<Complete> complete,
    PodCount counted,
    Optional<String> problem,
    Notice notice) {

  /** The condition, with its observed generation. */
  public record Complete(String status, String reason, long generation) {}

  /**
   * Whether somebody has taken notice of a request.
   *
   * @param created when the request was made
   * @param taken whether a drainer has put a finalizer or anything in its status
   * @param waiting what its status says it waits for, if it says that nobody serves it
   */
  public record Notice(Instant created, boolean taken, Optional<String> waiting) {}

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

  /** The drainers that the request names: none, one, or two that disagree. */
  Set<String> drainers() {
    Set<String> named = new LinkedHashSet<>();
    Optional.ofNullable(spec.drainer()).filter(name -> !name.isEmpty()).ifPresent(named::add);
    drainerAnnotation.filter(name -> !name.isEmpty()).ifPresent(named::add);
    return named;
  }

  boolean isClaimedByUs() {
    return finalizers.contains(DrainRequest.FINALIZER);
  }

  /**
   * What an earlier process did for this spec. Pods are counted only while the node is held, so
   * their number says that it was.
   */
  public EarlierDrain earlier() {
    if (!hasBegun()) {
      return EarlierDrain.NONE;
    }
    return counted.left().isPresent() ? EarlierDrain.HELD : EarlierDrain.BEGUN;
  }

  /** Whether a drain of an earlier spec has begun. */
  public boolean isChanged() {
    return complete.filter(condition -> condition.generation() != generation).isPresent();
  }

  /** Whether a drain of this spec has begun, here or in an earlier process. */
  public boolean hasBegun() {
    return complete.filter(condition -> condition.generation() == generation).isPresent();
  }
}
