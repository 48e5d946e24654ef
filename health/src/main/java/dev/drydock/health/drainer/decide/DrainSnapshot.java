package dev.drydock.health.drainer.decide;

import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.engine.decide.PodRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The pods of a node when its drain begins.
 *
 * @param going those that have to go, in order
 * @param cutShort those of them that get less time to end than they ask for
 * @param leftOut those that no rule is about
 */
public record DrainSnapshot(List<PodRef> going, List<String> cutShort, List<PodRef> leftOut) {
  public DrainSnapshot {
    going = List.copyOf(going);
    cutShort = List.copyOf(cutShort);
    leftOut = List.copyOf(leftOut);
  }

  public static DrainSnapshot of(Collection<PodFacts> pods, ModeRulings rulings) {
    List<PodRef> going = new ArrayList<>();
    List<String> cutShort = new ArrayList<>();
    List<PodRef> leftOut = new ArrayList<>();
    pods.stream()
        .sorted((one, other) -> one.ref().compareTo(other.ref()))
        .forEach(
            pod -> {
              Optional<DrainMode> mode = rulings.mode(pod);
              mode.ifPresent(_ -> going.add(pod.ref()));
              boolean cut =
                  mode.filter(each -> each == DrainMode.IMMEDIATE).isPresent()
                      && pod.terminationGrace().compareTo(rulings.rules().evictionTimeout()) > 0;
              if (cut) {
                cutShort.add("%s (%d s)".formatted(pod.ref(), pod.terminationGrace().toSeconds()));
              }
              if (rulings.outOfScope(pod).equals(Optional.of(ModeRulings.OutOfScope.NO_RULE))) {
                leftOut.add(pod.ref());
              }
            });
    return new DrainSnapshot(going, cutShort, leftOut);
  }

  /** Their names by namespace. */
  public Map<String, List<String>> byNamespace() {
    Map<String, List<String>> names = new TreeMap<>();
    going.forEach(
        pod -> names.computeIfAbsent(pod.namespace(), _ -> new ArrayList<>()).add(pod.name()));
    return names;
  }

  public List<String> names() {
    return going.stream().map(PodRef::toString).toList();
  }
}
