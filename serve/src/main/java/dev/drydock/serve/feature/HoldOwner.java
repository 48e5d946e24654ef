package dev.drydock.serve.feature;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Resource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Objects that hold nodes. The holder is called {@code PREFIX/NAMESPACE/NAME}, or {@code
 * PREFIX/NAME} of a kind without namespaces.
 *
 * @param prefix of its holders, with the slash
 * @param nodeField of the object's spec, which names the node
 * @param keepsHold whether a hold stays when its object is gone, because only the object could have
 *     said that the node is fit; a person ends it
 * @param unfit reads from an object the state that says that its node is not fit for service, if it
 *     is not; absent for a kind whose objects say nothing about that
 */
public record HoldOwner(
    String prefix,
    Resource resource,
    String nodeField,
    boolean keepsHold,
    Optional<Function<JsonNode, Optional<String>>> unfit) {
  /** A kind whose holds are released when its objects are gone. */
  public HoldOwner(String prefix, Resource resource, String nodeField) {
    this(prefix, resource, nodeField, false, Optional.empty());
  }

  /** A kind whose objects say whether a node is fit: without such a word, it stays held. */
  public HoldOwner judging(Function<JsonNode, Optional<String>> unfit) {
    return new HoldOwner(prefix, resource, nodeField, true, Optional.of(unfit));
  }

  /** How this object's hold is called. */
  public String holder(String namespace, String name) {
    return prefix + (resource.namespaced() ? namespace + "/" : "") + name;
  }

  /** Where the object is that a hold is for; empty if it is not for one of these. */
  public Optional<String> path(String holder) {
    return names(holder)
        .map(
            names -> resource.path(resource.namespaced() ? names.getFirst() : "", names.getLast()));
  }

  /** Whether a holder names an object that cannot exist, because no object may be called so. */
  public boolean isImpossible(String holder) {
    return names(holder).filter(names -> !names.stream().allMatch(Resource::isName)).isPresent();
  }

  /** The namespace, if the kind has them, and the name. */
  private Optional<List<String>> names(String holder) {
    if (!holder.startsWith(prefix)) {
      return Optional.empty();
    }
    List<String> names = List.of(holder.substring(prefix.length()).split("/", -1));
    return Optional.of(names).filter(all -> all.size() == (resource.namespaced() ? 2 : 1));
  }
}
