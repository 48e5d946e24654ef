package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSelector.Operator;
import dev.drydock.contracts.LabelSelector.Requirement;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.LabelSelectors;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.store.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Maps PodDisruptionBudgets to pods by labels. Always consistent with the store. */
final class GuardedPods {
  /** A label of pods that a budget selects; no label stands for the whole namespace. */
  private record Label(String namespace, String name, String value) {
    static Label none(String namespace) {
      return new Label(namespace, "", "");
    }
  }

  private static final class Guard {
    final LabelSelector selector;
    final Label label;
    final Map<ObjectKey, ObjectNode> pods = new TreeMap<>();

    Guard(LabelSelector selector, Label label) {
      this.selector = selector;
      this.label = label;
    }
  }

  private final Store store;
  private final String budgets;
  private final Map<ObjectKey, Guard> guards = new HashMap<>();
  private final Map<Label, Set<ObjectKey>> guardsByLabel = new HashMap<>();
  private final Map<Label, Set<ObjectKey>> podsByLabel = new HashMap<>();

  GuardedPods(Store store, String budgets) {
    this.store = store;
    this.budgets = budgets;
    store.index(this::note);
  }

  Collection<ObjectNode> of(ObjectKey budget) {
    Guard guard = guards.get(budget);
    return guard == null ? List.of() : guard.pods.values();
  }

  /** The budgets that match this pod. */
  List<ObjectKey> guarding(ObjectKey key, @Nullable ObjectNode pod) {
    List<ObjectKey> guarding = new ArrayList<>();
    if (pod != null) {
      for (Label label : labels(key.namespace(), pod)) {
        for (ObjectKey budget : guardsByLabel.getOrDefault(label, Set.of())) {
          Guard guard = guards.get(budget);
          if (guard != null && LabelSelectors.matches(guard.selector, pod)) {
            guarding.add(budget);
          }
        }
      }
    }
    return guarding;
  }

  private void note(ObjectChange event) {
    boolean gone = event.type() == ObjectChange.Type.DELETED;
    if (event.resource().equals(Resources.PODS)) {
      notePod(event.key(), event.previous(), gone ? null : event.object());
    } else if (event.resource().equals(budgets)) {
      noteBudget(event.key(), event.previous(), gone ? null : event.object());
    }
  }

  private void notePod(ObjectKey key, @Nullable ObjectNode before, @Nullable ObjectNode now) {
    boolean same = before != null && now != null && labelsOf(before).equals(labelsOf(now));
    if (before != null && !same) {
      labels(key.namespace(), before).forEach(label -> remove(podsByLabel, label, key));
      forEach(guarding(key, before), guard -> guard.pods.remove(key));
    }
    if (now != null) {
      if (!same) {
        labels(key.namespace(), now).forEach(label -> add(podsByLabel, label, key));
      }
      forEach(guarding(key, now), guard -> guard.pods.put(key, now));
    }
  }

  private void forEach(List<ObjectKey> keys, Consumer<Guard> action) {
    for (ObjectKey key : keys) {
      Guard guard = guards.get(key);
      if (guard != null) {
        action.accept(guard);
      }
    }
  }

  private void noteBudget(ObjectKey key, @Nullable ObjectNode before, @Nullable ObjectNode now) {
    if (before != null && now != null && selector(before).equals(selector(now))) {
      return;
    }
    Guard old = guards.remove(key);
    if (old != null) {
      remove(guardsByLabel, old.label, key);
    }
    if (now == null || !selector(now).isObject()) {
      return;
    }
    LabelSelector selector = LabelSelectors.of(selector(now));
    Guard guard = new Guard(selector, labelOf(key.namespace(), selector));
    guards.put(key, guard);
    add(guardsByLabel, guard.label, key);
    for (ObjectKey pod : podsByLabel.getOrDefault(guard.label, Set.of())) {
      ObjectNode found = store.get(Resources.PODS, pod);
      if (found != null && LabelSelectors.matches(selector, found)) {
        guard.pods.put(pod, found);
      }
    }
  }

  /** A label that all pods of this selector have. */
  private static Label labelOf(String namespace, LabelSelector selector) {
    for (Requirement requirement : selector.requirements()) {
      if (requirement.operator() == Operator.IN && requirement.values().size() == 1) {
        return new Label(namespace, requirement.key(), requirement.values().getFirst());
      }
    }
    return Label.none(namespace);
  }

  private static List<Label> labels(String namespace, ObjectNode pod) {
    List<Label> labels = new ArrayList<>();
    labels.add(Label.none(namespace));
    labelsOf(pod)
        .properties()
        .forEach(each -> labels.add(new Label(namespace, each.getKey(), each.getValue().asText())));
    return labels;
  }

  private static JsonNode labelsOf(ObjectNode pod) {
    return JsonTrees.at(pod, "metadata", "labels");
  }

  private static JsonNode selector(ObjectNode budget) {
    return JsonTrees.at(budget, "spec", "selector");
  }

  private static void add(Map<Label, Set<ObjectKey>> sets, Label label, ObjectKey key) {
    sets.computeIfAbsent(label, _ -> new TreeSet<>()).add(key);
  }

  private static void remove(Map<Label, Set<ObjectKey>> sets, Label label, ObjectKey key) {
    Set<ObjectKey> set = sets.getOrDefault(label, Set.of());
    if (set.contains(key)) {
      set.remove(key);
      if (set.isEmpty()) {
        sets.remove(label);
      }
    }
  }
}
