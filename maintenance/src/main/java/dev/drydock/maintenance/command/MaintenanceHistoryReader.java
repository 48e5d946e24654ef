package dev.drydock.maintenance.command;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.RecordedEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The maintenances of a node, also of those whose objects are gone but for their Events.
 *
 * @param id of the only one that is wanted
 */
public record MaintenanceHistoryReader(String node, Optional<String> id, Instant now) {

  /** Given all that the cluster holds, also about other nodes. */
  public List<HistoryPart> of(List<NotifyMaintenanceObject> maintenances, List<RecordedEvent> all) {
    Map<String, List<RecordedEvent>> events =
        all.stream()
            .filter(event -> event.object().kind().equals(NotifyMaintenance.KIND))
            .collect(groupingBy(event -> event.object().uid(), LinkedHashMap::new, toList()));
    List<HistoryPart> parts = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (NotifyMaintenanceObject seen : maintenances) {
      String uid = seen.facts().identity().uid();
      known.add(uid);
      if (seen.facts().node().equals(node) && isWanted(MaintenanceHistory.id(seen))) {
        parts.add(part(seen, events.getOrDefault(uid, List.of())));
      }
    }
    Pattern mention = Pattern.compile("\\bnode " + Pattern.quote(node) + "(?![-\\w]|\\.\\w)");
    events.forEach(
        (uid, about) -> {
          boolean here = about.stream().anyMatch(event -> mention.matcher(event.note()).find());
          boolean wanted =
              isWanted(about.getFirst().object().name()) || isWanted(MaintenanceHistory.id(about));
          if (!known.contains(uid) && here && wanted) {
            parts.add(part(null, about));
          }
        });
    return parts;
  }

  /** Compares the ID, or the name where the ID went with the object. */
  private boolean isWanted(String about) {
    return id.isEmpty()
        || about.equals(id.get())
        || about.equals(RequestedMaintenance.name(id.get(), node));
  }

  private HistoryPart part(@Nullable NotifyMaintenanceObject seen, List<RecordedEvent> events) {
    String name = seen == null ? events.getFirst().object().name() : seen.facts().identity().name();
    return new HistoryPart(HistoryPart.Scope.TASK, name, MaintenanceHistory.of(seen, events, now));
  }
}
