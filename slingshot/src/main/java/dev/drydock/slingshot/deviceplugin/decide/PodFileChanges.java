package dev.drydock.slingshot.deviceplugin.decide;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The files that name the NICs of each pod, for retry handlers that run beside it.
 *
 * @param write contents by the UID of the pod
 * @param remove UIDs of pods that have no NIC any more
 */
public record PodFileChanges(Map<String, String> write, Set<String> remove) {
  /** It becomes the name of a file. */
  private static final Pattern UID = Pattern.compile("[A-Za-z0-9-]{1,64}");

  /** What a container of a pod was given. */
  public record Given(String podUid, List<String> nics) {}

  /**
   * Compares what should be there with what is.
   *
   * @param given to all containers of the node
   * @param present the contents that there are
   */
  public static PodFileChanges of(Collection<Given> given, Map<String, String> present) {
    Map<String, Set<String>> nics = new TreeMap<>();
    for (Given each : given) {
      if (UID.matcher(each.podUid()).matches() && !each.nics().isEmpty()) {
        nics.computeIfAbsent(each.podUid(), _ -> new TreeSet<>()).addAll(each.nics());
      }
    }
    Map<String, String> write = new TreeMap<>();
    nics.forEach(
        (uid, names) -> {
          String content = String.join("\n", names) + "\n";
          if (!content.equals(present.get(uid))) {
            write.put(uid, content);
          }
        });
    Set<String> remove = new TreeSet<>(present.keySet());
    remove.removeAll(nics.keySet());
    return new PodFileChanges(write, remove);
  }
}
