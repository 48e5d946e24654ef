package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.select.FieldSelector;
import dev.drydock.sim.select.FieldSelector.SelectableField;
import dev.drydock.sim.store.ObjectChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An index of watches, so that a change is delivered without asking all of them: thousands watch
 * the pods of one node each. Keeps the order in which they were added. Thread-safe.
 */
final class StreamIndex<S> {
  /** The watches of one resource. */
  private static final class OfResource<S> {
    private final Set<S> unselective = new LinkedHashSet<>();
    private final Map<SelectableField, Map<String, Set<S>>> byField = new LinkedHashMap<>();
  }

  private final Map<String, OfResource<S>> byResource = new HashMap<>();

  synchronized void add(String resource, Optional<FieldSelector.Exact> exact, S stream) {
    OfResource<S> group = byResource.computeIfAbsent(resource, _ -> new OfResource<>());
    exact
        .map(
            only ->
                group
                    .byField
                    .computeIfAbsent(only.field(), _ -> new HashMap<>())
                    .computeIfAbsent(only.value(), _ -> new LinkedHashSet<>()))
        .orElse(group.unselective)
        .add(stream);
  }

  synchronized void remove(String resource, Optional<FieldSelector.Exact> exact, S stream) {
    OfResource<S> group = byResource.get(resource);
    if (group == null) {
      return;
    }
    if (exact.isEmpty()) {
      group.unselective.remove(stream);
      return;
    }
    group
        .byField
        .getOrDefault(exact.get().field(), new HashMap<>())
        .computeIfPresent(
            exact.get().value(),
            (_, same) -> {
              same.remove(stream);
              return same.isEmpty() ? null : same;
            });
  }

  /** Those that may have watched the object before the change, or may watch it now. */
  synchronized List<S> concernedBy(ObjectChange event) {
    OfResource<S> group = byResource.get(event.resource());
    if (group == null) {
      return List.of();
    }
    Set<S> concerned = new LinkedHashSet<>(group.unselective);
    group.byField.forEach(
        (field, byValue) -> {
          concerned.addAll(having(field, byValue, event.previous()));
          concerned.addAll(having(field, byValue, event.object()));
        });
    return List.copyOf(concerned);
  }

  private Collection<S> having(
      SelectableField field, Map<String, Set<S>> byValue, @Nullable JsonNode object) {
    return object == null ? List.of() : byValue.getOrDefault(field.valueIn(object), Set.of());
  }

  synchronized List<S> all() {
    List<S> all = new ArrayList<>();
    for (OfResource<S> group : byResource.values()) {
      all.addAll(group.unselective);
      group.byField.values().forEach(byValue -> byValue.values().forEach(all::addAll));
    }
    return all;
  }
}
