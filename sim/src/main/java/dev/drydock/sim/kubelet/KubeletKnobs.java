package dev.drydock.sim.kubelet;

import dev.drydock.contracts.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A set of knobs with valid values: those of a Pod, of a Node, or the fleet's defaults. Reading an
 * unset one returns the built-in default in {@link Knob}.
 */
public record KubeletKnobs(Map<Knob, String> values) {
  /** Nothing set: every pod is Ready at once, stops at once and runs forever. */
  public static final KubeletKnobs NONE = new KubeletKnobs(Map.of());

  private static final Duration REBOOT_TAKES = Duration.ofSeconds(5);

  /** Knobs, and a sentence for each one that could not be parsed. */
  record Reading(KubeletKnobs knobs, List<String> problems) {
    private static final Reading NOTHING = new Reading(NONE, List.of());
  }

  public KubeletKnobs {
    values.forEach(
        (knob, value) -> {
          String problem = knob.problemWith(value);
          if (problem != null) {
            throw new IllegalArgumentException(describe(knob.annotation(), value, problem));
          }
        });
    values = values.isEmpty() ? Map.of() : Map.copyOf(values);
  }

  /** These knobs with another one set; throws if the value is malformed. */
  public KubeletKnobs with(Knob knob, String value) {
    Map<Knob, String> more = new EnumMap<>(Knob.class);
    more.putAll(values);
    more.put(knob, value);
    return new KubeletKnobs(more);
  }

  /** These knobs, with the others as defaults. */
  KubeletKnobs orElse(KubeletKnobs others) {
    if (values.isEmpty()) {
      return others;
    }
    if (others.values.isEmpty()) {
      return this;
    }
    Map<Knob, String> merged = new EnumMap<>(Knob.class);
    merged.putAll(others.values);
    merged.putAll(values);
    return new KubeletKnobs(merged);
  }

  /** With a range, each pod has its own duration, derived from its UID. */
  KubeletKnobs drawnFor(String podUid) {
    if (values.values().stream().noneMatch(Knob::isRange)) {
      return this;
    }
    Map<Knob, String> drawn = new EnumMap<>(Knob.class);
    values.forEach((knob, value) -> drawn.put(knob, knob.draw(value, podUid)));
    return new KubeletKnobs(drawn);
  }

  static Reading ofPod(@Nullable Map<String, String> annotations) {
    return read(annotations, true);
  }

  static Reading ofNode(@Nullable Map<String, String> annotations) {
    return read(annotations, false);
  }

  private static Reading read(@Nullable Map<String, String> annotations, boolean onPod) {
    if (annotations == null || annotations.keySet().stream().noneMatch(KubeletKnobs::isKnob)) {
      return Reading.NOTHING;
    }
    Map<Knob, String> values = new EnumMap<>(Knob.class);
    List<String> problems = new ArrayList<>();
    annotations.forEach(
        (name, value) -> {
          if (isKnob(name)) {
            Optional<Knob> knob = Knob.ofAnnotation(name);
            String problem =
                knob.isEmpty()
                    ? "is set, but there is no such knob"
                    : onPod && !knob.get().forPods()
                        ? "is set on a Pod, but works only on a Node"
                        : knob.get().problemWith(value);
            if (problem == null) {
              knob.ifPresent(known -> values.put(known, value));
            } else {
              problems.add(describe(name, value, problem) + ". It is ignored.");
            }
          }
        });
    return new Reading(new KubeletKnobs(values), List.copyOf(problems));
  }

  private static boolean isKnob(String annotation) {
    return annotation.startsWith(Knob.PREFIX);
  }

  private static String describe(String annotation, String value, String problem) {
    return "%s: \"%s\" %s".formatted(annotation, value, problem);
  }

  Duration readyAfter() {
    return duration(Knob.READY_AFTER).orElse(Duration.ZERO);
  }

  Duration stopWithin(Duration grace) {
    if (Knob.GRACE.equals(values.get(Knob.STOP_AFTER))) {
      return grace;
    }
    Duration wanted = duration(Knob.STOP_AFTER).orElse(Duration.ZERO);
    return wanted.compareTo(grace) < 0 ? wanted : grace;
  }

  boolean refusesStop() {
    return flag(Knob.REFUSE_STOP);
  }

  Optional<Duration> completeAfter() {
    return duration(Knob.COMPLETE_AFTER);
  }

  boolean neverReady() {
    return flag(Knob.NEVER_READY);
  }

  boolean silent() {
    return flag(Knob.SILENT);
  }

  Optional<String> reboot() {
    return Optional.ofNullable(values.get(Knob.REBOOT));
  }

  Duration rebootTakes() {
    return duration(Knob.REBOOT_TAKES).orElse(REBOOT_TAKES);
  }

  private boolean flag(Knob knob) {
    return "true".equals(values.get(knob));
  }

  private Optional<Duration> duration(Knob knob) {
    return Optional.ofNullable(values.get(knob)).flatMap(GoDuration::find);
  }
}
