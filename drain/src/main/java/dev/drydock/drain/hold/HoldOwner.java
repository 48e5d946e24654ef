package dev.drydock.drain.hold;

import dev.drydock.kube.Resource;
import java.util.Optional;

/**
 * A kind of object that holds nodes: a hold whose holder is the prefix, a namespace, a slash and a
 * name belongs to the object of that name, and ends with it.
 *
 * @param prefix of its holders, with a slash at the end
 * @param nodeField of its spec, which names the node
 */
public record HoldOwner(String prefix, Resource resource, String nodeField) {
  /** Where the owner of a hold is in the API, if it is of this kind. */
  public Optional<String> path(String holder) {
    if (!holder.startsWith(prefix)) {
      return Optional.empty();
    }
    String[] parts = holder.substring(prefix.length()).split("/", -1);
    return parts.length == 2 ? Optional.of(resource.path(parts[0], parts[1])) : Optional.empty();
  }
}
