package dev.drydock.serve.feature;

import dev.drydock.kube.Resource;
import java.util.List;
import java.util.Optional;

/**
 * Objects that hold nodes. The holder is called {@code PREFIX/NAMESPACE/NAME}, or {@code
 * PREFIX/NAME} of a kind without namespaces.
 *
 * @param prefix of its holders, with the slash
 * @param nodeField of the object's spec, which names the node
 * @param outlived whether a hold stays when its object is gone, because only the object could have
 *     said that the node is fit; a person ends it
 */
public record HoldOwner(String prefix, Resource resource, String nodeField, boolean outlived) {
  /** Of objects whose holds are released when they are gone. */
  public HoldOwner(String prefix, Resource resource, String nodeField) {
    this(prefix, resource, nodeField, false);
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
