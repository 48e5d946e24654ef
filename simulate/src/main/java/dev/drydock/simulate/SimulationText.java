package dev.drydock.simulate;

import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.cli.TextLines;
import dev.drydock.contracts.GoDuration;
import dev.drydock.simulate.SimulationReport.BudgetReport;
import dev.drydock.simulate.SimulationReport.Drain;
import dev.drydock.simulate.SimulationReport.Happening;
import dev.drydock.simulate.SimulationReport.Stuck;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The result of a simulation for people: the summary first, then the details. */
final class SimulationText {
  /** The maximum number of rows; {@code -o wide} shows all. */
  private static final int ROWS = 20;

  private final Terminal terminal;
  private final PrintWriter out;
  private final SimulationReport report;
  private final boolean wide;
  private final int rows;

  private SimulationText(Terminal terminal, SimulationReport report, boolean wide) {
    this.terminal = terminal;
    this.out = terminal.out();
    this.report = report;
    this.wide = wide;
    this.rows = wide ? Integer.MAX_VALUE : ROWS;
  }

  static void print(Terminal terminal, SimulationReport report, boolean wide) {
    new SimulationText(terminal, report, wide).print();
  }

  private void print() {
    summary();
    timeline();
    drains();
    budgets();
    inTheWay("Stuck", report.stuck());
    inTheWay("Unfinished", report.unfinished());
  }

  private void summary() {
    SimulationReport.Size fleet = report.fleet();
    say(
        "Fleet: %s, %s in %s, %s. Seed %d."
            .formatted(
                ReportFormat.count(fleet.nodes(), "node"),
                ReportFormat.count(fleet.pods(), "pod"),
                ReportFormat.count(fleet.workloads(), "workload"),
                ReportFormat.count(fleet.budgets(), "budget"),
                report.seed()));
    say(
        ending()
            + drained()
            + (report.stuck().isEmpty() ? "" : " Some things are stuck, see below."));
    SimulationReport.NodeMinutes minutes = report.nodeMinutes();
    say(
        String.format(
            Locale.ROOT,
            "Out of service: %,.1f node-minutes (cordoned %,.1f, down %,.1f)%s.",
            minutes.outOfService(),
            minutes.cordoned(),
            minutes.down(),
            stayOut(minutes.nodesOut())));
    PodOutcomes.Count pods = report.pods();
    say(
        String.format(
            Locale.ROOT,
            "Pods: %,d evicted, %,d deleted, %,d cut off, %,d lost for good, %,d started; without room %,d at most, %,d in the end.",
            pods.evicted(),
            pods.deleted(),
            pods.cutOff(),
            pods.lost(),
            pods.started(),
            pods.pendingMost(),
            pods.pending()));
  }

  private String ending() {
    if (report.settled()) {
      return "After %s nothing more happened."
          .formatted(
              GoDuration.brief(Duration.ofMillis((long) (report.settledAfterSeconds() * 1000))));
    }
    int steps = report.stepsNotReached();
    return "Stopped looking at %s%s."
        .formatted(
            moment(report.countedUntilSeconds()),
            steps == 0 ? "" : ", before " + ReportFormat.count(steps, "step"));
  }

  private String stayOut(int nodes) {
    return nodes == 0
        ? ""
        : " until %s, and %s %s out"
            .formatted(
                moment(report.countedUntilSeconds()),
                ReportFormat.count(nodes, "node"),
                report.settled()
                    ? (nodes == 1 ? "stays" : "stay")
                    : (nodes == 1 ? "is still" : "are still"));
  }

  private String drained() {
    if (report.drains().isEmpty()) {
      return "";
    }
    long notBegun = drains(SimulationReport.NOT_BEGUN);
    long unfinished = drains("UNFINISHED");
    return " Drained: %s of %s%s%s."
        .formatted(
            ReportFormat.number(drains("DONE")),
            ReportFormat.count(report.drains().size(), "node"),
            unfinished == 0 ? "" : ", " + ReportFormat.number(unfinished) + " unfinished",
            notBegun == 0 ? "" : ", " + ReportFormat.number(notBegun) + " not begun");
  }

  private long drains(String outcome) {
    return report.drains().stream().filter(drain -> drain.outcome().equals(outcome)).count();
  }

  private void timeline() {
    if (report.timeline().isEmpty()) {
      return;
    }
    out.println();
    Table table = new Table("TIME", "NODES", "WHAT");
    List<Happening> shown = report.timeline().stream().limit(2L * rows).toList();
    for (Happening entry : shown) {
      table.row(moment(entry.atSeconds()), nodes(entry.nodes()), entry.message() + lastOf(entry));
    }
    table.print(terminal);
    more(report.timeline().size() - shown.size());
  }

  private static String lastOf(Happening entry) {
    double later = entry.lastAtSeconds() - entry.atSeconds();
    return later < 1 ? "" : " (the last " + time(later) + " later)";
  }

  private void drains() {
    if (report.drains().isEmpty()) {
      return;
    }
    out.println();
    Table table = new Table("NODE", "END", "TOOK", "PODS GONE", "LEFT", "WAITED MOST FOR");
    List<Drain> slowest =
        report.drains().stream()
            .sorted(
                Comparator.comparing((Drain drain) -> drain.outcome().equals("DONE"))
                    .thenComparingDouble(drain -> -drain.seconds()))
            .limit(rows)
            .toList();
    for (Drain drain : slowest) {
      table.row(
          drain.node(),
          drain.outcome().toLowerCase(Locale.ROOT).replace('_', ' '),
          time(drain.seconds()),
          drain.startSeconds() == null ? "" : drain.gone(),
          drain.startSeconds() == null ? "" : drain.left(),
          drain.longestWait() == null
              ? ""
              : drain.longestWait() + " " + time(drain.longestWaitSeconds()));
    }
    table.print(terminal);
    more(report.drains().size() - slowest.size());
  }

  private void budgets() {
    List<BudgetReport> touched =
        report.budgets().stream()
            .filter(budget -> wide || wasTouched(budget))
            .sorted(
                Comparator.comparingInt((BudgetReport b) -> b.lowestHealthy() - b.needed())
                    .thenComparingDouble(b -> -b.secondsAtZero()))
            .toList();
    if (touched.isEmpty()) {
      return;
    }
    out.println();
    Table table = new Table("BUDGET", "PODS", "NEEDS", "LOWEST", "EVICTIONS", "AT ZERO", "BELOW");
    touched.stream()
        .limit(rows)
        .forEach(
            budget ->
                table.row(
                    budget.budget(),
                    budget.pods(),
                    budget.needed(),
                    budget.lowestHealthy(),
                    budget.evictions(),
                    time(budget.secondsAtZero()),
                    time(budget.secondsBelowNeeded())));
    table.print(terminal);
    more(Math.max(0, touched.size() - rows));
  }

  private static boolean wasTouched(BudgetReport budget) {
    return budget.evictions() > 0
        || budget.nodesHeldUp() > 0
        || budget.lowestHealthy() < budget.pods()
        || budget.secondsBelowNeeded() > 0;
  }

  private void inTheWay(String word, List<Stuck> things) {
    if (things.isEmpty()) {
      return;
    }
    out.println();
    things.stream().limit(rows).forEach(thing -> inTheWay(word, thing));
    more(Math.max(0, things.size() - rows));
  }

  private void inTheWay(String word, Stuck stuck) {
    String where = stuck.nodes().isEmpty() ? "" : nodes(stuck.nodes()) + ": ";
    String who =
        stuck.pods() == 0
            ? ""
            : ReportFormat.count(stuck.pods(), "pod")
                + " ("
                + String.join(", ", stuck.examples())
                + "): ";
    say(word + ": " + where + who + stuck.message() + "; next: " + stuck.next());
  }

  private void say(String line) {
    TextLines.print(terminal, line);
  }

  private String nodes(List<String> nodes) {
    return wide ? String.join(", ", nodes) : ReportFormat.nodes(nodes);
  }

  private void more(int left) {
    if (left > 0) {
      out.println("... and " + ReportFormat.number(left) + " more; -o wide shows all");
    }
  }

  private static String moment(double seconds) {
    return ReportFormat.moment(Duration.ofMillis((long) (seconds * 1000)));
  }

  private static String time(double seconds) {
    return seconds == 0 ? "" : GoDuration.brief(Duration.ofMillis((long) (seconds * 1000)));
  }
}
