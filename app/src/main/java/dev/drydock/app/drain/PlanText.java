package dev.drydock.app.drain;

import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.decide.BudgetRef;
import dev.drydock.drain.decide.DrainPlan;
import dev.drydock.drain.decide.DrainPlan.PodPlan;
import dev.drydock.drain.decide.DrainPlan.TierPlan;
import dev.drydock.drain.decide.Mode;
import dev.drydock.drain.decide.PodRef;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A plan as people read it. */
final class PlanText {
  private PlanText() {}

  static void print(Terminal terminal, DrainPlan plan, boolean wide) {
    PrintWriter out = terminal.out();
    long going = plan.pods().stream().filter(pod -> pod.verdict().goes()).count();
    long staying = plan.pods().size() - going;
    out.printf(
        "node/%s: %d pods would go, %d would stay. %s%n%n",
        plan.node(), going, staying, outlook(plan));
    if (!plan.pods().isEmpty()) {
      pods(plan, wide).print(terminal);
      out.println();
    }
    plan.warnings().forEach(warning -> out.println("Warning: " + warning));
    plan.impossible().forEach(blocker -> out.println("Cannot: " + blocker.line()));
    plan.blockers().forEach(blocker -> out.println("Waits: " + blocker.line()));
    plan.force()
        .forEach(
            effect ->
                out.printf(
                    "Force would cost: %d pod%s %s%n",
                    effect.pods().size(), effect.pods().size() == 1 ? "" : "s", effect.line()));
    out.println();
    out.flush();
  }

  private static String outlook(DrainPlan plan) {
    return plan.possible() ? "It takes " + plan.eta() + "." : "As things are it can never drain.";
  }

  private static Table pods(DrainPlan plan, boolean wide) {
    Map<PodRef, String> turns = turns(plan);
    Table table =
        wide
            ? new Table("WAVE", "POD", "HOW", "BUDGET", "UID", "NOTE")
            : new Table("WAVE", "POD", "HOW", "BUDGET", "NOTE");
    for (PodPlan pod : plan.pods()) {
      String turn = turns.getOrDefault(pod.pod(), "");
      String budgets =
          pod.budgets().stream().map(BudgetRef::toString).collect(Collectors.joining(","));
      if (wide) {
        table.row(turn, pod.pod(), how(pod), budgets, pod.pod().uid(), pod.verdict().message());
      } else {
        table.row(turn, pod.pod(), how(pod), budgets, pod.verdict().message());
      }
    }
    return table;
  }

  private static Map<PodRef, String> turns(DrainPlan plan) {
    Map<PodRef, String> turns = new HashMap<>();
    int number = 0;
    for (TierPlan tier : plan.tiers()) {
      for (List<PodRef> wave : tier.waves()) {
        number++;
        for (PodRef pod : wave) {
          turns.put(pod, Integer.toString(number));
        }
      }
      tier.waiting().forEach(pod -> turns.put(pod, "waits"));
      tier.cannot().forEach(pod -> turns.put(pod, "never"));
    }
    return turns;
  }

  private static String how(PodPlan pod) {
    return switch (pod.verdict().outcome()) {
      case STAYS -> "stays";
      case REFUSED -> "refused";
      case GOES ->
          switch (pod.mode()) {
            case Mode.EvictNow _ -> "evict";
            case Mode.LetFinish _ -> "let finish";
            case Mode.DeleteAfter after -> "delete after " + after.time();
            case Mode.LeaveAlone _ -> "stays";
          };
    };
  }
}
