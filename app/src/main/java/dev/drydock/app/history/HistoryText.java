package dev.drydock.app.history;

import dev.drydock.cli.Table;
import dev.drydock.contracts.Ages;
import dev.drydock.serve.feature.HistoryStep;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The history as text for people: a row per step. */
final class HistoryText {
  private HistoryText() {}

  /**
   * The lines of the history.
   *
   * @param width of the terminal; 0 if nothing is wrapped or cut
   */
  static List<String> lines(List<HistoryStep> steps, int width) {
    Table table = new Table("TIME", "AFTER", "WHO", "WHAT", "MESSAGE");
    for (HistoryStep step : steps) {
      table.row(
          step.at().truncatedTo(ChronoUnit.SECONDS),
          step.after() == null ? "" : Ages.of(step.after()),
          step.who(),
          step.what(),
          story(step));
    }
    return table.lines(width);
  }

  private static String story(HistoryStep step) {
    String waited = waited(step.waited());
    if (waited.isEmpty()) {
      return step.story();
    }
    return step.story().isEmpty() ? waited : step.story() + " (" + waited + ")";
  }

  private static String waited(HistoryStep.@Nullable Wait wait) {
    if (wait == null || wait.time().toSeconds() == 0) {
      return "";
    }
    return "waited "
        + Ages.of(wait.time())
        + (wait.forWhat().isEmpty() ? "" : " " + wait.forWhat());
  }
}
