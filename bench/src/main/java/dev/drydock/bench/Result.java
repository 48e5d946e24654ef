package dev.drydock.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All trials of one benchmark. */
record Result(
    String benchmark,
    String title,
    String unit,
    boolean completesDrains,
    @Nullable Double floor,
    List<Trial> trials) {
  List<Trial> trialsOf(String contestant) {
    return trials.stream().filter(trial -> trial.contestant().equals(contestant)).toList();
  }
}
