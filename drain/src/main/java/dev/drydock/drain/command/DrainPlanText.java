package dev.drydock.drain.command;

import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.cli.TextLines;
import dev.drydock.drain.engine.decide.BudgetRef;
import dev.drydock.drain.engine.decide.DrainPlan;
import dev.drydock.drain.engine.decide.DrainPlan.PodPlan;
import dev.drydock.drain.engine.decide.DrainPlan.TierPlan;
import dev.drydock.drain.engine.decide.EvictionMode;
import dev.drydock.drain.engine.decide.PodRef;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A plan for people. */
final class DrainPlanText {
  private DrainPlanText() {}

  static void print(Terminal terminal, List<DrainPlan> plans, boolean wide) {
    for (int i = 0; i < plans.size(); i++) {
      if (i > 0) {
        terminal.out().println();
      }
      print(terminal, plans.get(i), wide);
    }
  }

  private static void print(Terminal terminal, DrainPlan plan, boolean wide) {
    PrintWriter out = terminal.out();
    long going = plan.pods().stream().filter(pod -> pod.verdict().goes()).count();
    long staying = plan.pods().size() - going;
    out.printf(
        "node/%s: %d pod%s would go, %d would stay. %s%n",
        plan.node(), going, going == 1 ? "" : "s", staying, outlook(plan));
    if (!plan.pods().isEmpty()) {
      out.println();
      pods(plan, wide).print(terminal);
    }
    List<String> remarks = remarks(plan);
    if (!remarks.isEmpty()) {
      out.println();
      remarks.forEach(line -> TextLines.print(terminal, line));
    }
  }

  private static List<String> remarks(DrainPlan plan) {
    List<String> lines = new ArrayList<>();
    plan.warnings().forEach(warning -> lines.add("Warning: " + warning));
    plan.impossible().forEach(blocker -> lines.add("Cannot: " + blocker.line()));
    plan.blockers().forEach(blocker -> lines.add("Waits: " + blocker.line()));
    for (DrainPlan.ForceEffect effect : plan.force()) {
      int pods = effect.pods().size();
      lines.add(
          "Force would mean: %s (%d pod%s)".formatted(effect.line(), pods, pods == 1 ? "" : "s"));
    }
    return lines;
  }

  private static String outlook(DrainPlan plan) {
    if (!plan.possible()) {
      return "In its current state it can never drain.";
    }
    boolean waves = plan.tiers().stream().anyMatch(tier -> tier.waves().size() > 1);
    return "It takes "
        + (plan.eta().atMost().isEmpty() ? "an unknown time" : plan.eta())
        + (waves ? ", and as long as replacements take to become ready." : ".");
  }

  private static Table pods(DrainPlan plan, boolean wide) {
    Map<PodRef, String> turns = turns(plan);
    Map<PodRef, String> obstacles = new HashMap<>();
    plan.impossible()
        .forEach(blocker -> blocker.pods().forEach(pod -> obstacles.put(pod, blocker.what())));
    Table table =
        wide
            ? new Table("WAVE", "POD", "HOW", "BUDGET", "UID", "NOTE")
            : new Table("WAVE", "POD", "HOW", "BUDGET", "NOTE");
    for (PodPlan pod : plan.pods()) {
      String turn = turns.getOrDefault(pod.pod(), "");
      String budgets =
          pod.budgets().stream().map(BudgetRef::toString).collect(Collectors.joining(","));
      String note = pod.verdict().message();
      if (note.isEmpty()) {
        note = obstacles.getOrDefault(pod.pod(), "");
      }
      if (wide) {
        table.row(turn, pod.pod(), how(pod), budgets, pod.pod().uid(), note);
      } else {
        table.row(turn, pod.pod(), how(pod), budgets, note);
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
            case EvictionMode.EvictNow _ -> "evict";
            case EvictionMode.LetFinish _ -> "let finish";
            case EvictionMode.DeleteAfter after -> "delete after " + after.time();
            case EvictionMode.DeleteAt at -> "delete at " + at.time();
            case EvictionMode.LeaveAlone _ -> "stays";
          };
    };
  }
}
