package dev.drydock.bench;

import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A row of the result. {@code reached} is null if the sizes are not those of the claim. */
record Comparison(
    String name,
    String unit,
    Summary theirs,
    Summary ours,
    double ratio,
    String required,
    @Nullable Boolean reached,
    @Nullable Double floor,
    String anchor) {

  /** One contestant over all rounds: medians, and the spread. */
  record Summary(
      String contestant,
      double median,
      double spread,
      double least,
      double most,
      double requestsPerPod,
      double memoryMib) {

    static Summary of(List<Trial> trials, ToDoubleFunction<Trial> figure) {
      Collection<Double> values = all(trials, figure);
      return new Summary(
          trials.getFirst().contestant(),
          Statistics.median(values),
          Statistics.spread(values),
          Statistics.percentile(values, 0),
          Statistics.percentile(values, 1),
          Statistics.median(all(trials, trial -> trial.usage().requestsPerPod())),
          Statistics.median(all(trials, trial -> trial.usage().memoryMib())));
    }

    private static Collection<Double> all(List<Trial> trials, ToDoubleFunction<Trial> figure) {
      return trials.stream().mapToDouble(figure).boxed().toList();
    }
  }

  static Comparison of(Goal goal, Result result, String anchor, boolean judge) {
    Summary theirs = Summary.of(result.trialsOf(goal.against()), goal.figure()::of);
    Summary ours = Summary.of(result.trialsOf(Contestant.DRYDOCK), goal.figure()::of);
    boolean value = goal.figure() == Goal.Figure.VALUE;
    return new Comparison(
        goal.row(),
        goal.figure().unit(result.unit()),
        theirs,
        ours,
        theirs.median() / ours.median(),
        goal.limit().text(),
        judge ? goal.limit().reached(theirs.median(), ours.median()) : null,
        value ? result.floor() : null,
        anchor);
  }

  boolean missed() {
    return Boolean.FALSE.equals(reached);
  }
}
