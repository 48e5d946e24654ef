package dev.drydock.drain.command;

import dev.drydock.cli.ExitCode;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.decide.DrainPlan;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.serve.command.DryRunOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code --dry-run}: a drain that changes nothing, with kubectl's wording. */
final class DryRun {
  private final Terminal terminal;
  private final DrainEngine engine;
  private final DryRunOption option;

  DryRun(Terminal terminal, DrainEngine engine, DryRunOption option) {
    this.terminal = terminal;
    this.engine = engine;
    this.option = option;
  }

  int of(List<String> nodes, DrainPolicy policy) {
    List<DrainPlan> plans = nodes.stream().map(node -> engine.plans().plan(node, policy)).toList();
    nodes.forEach(node -> terminal.out().println("node/" + node + " cordoned" + option.remark()));
    boolean good = true;
    for (DrainPlan plan : plans) {
      good &= of(plan, policy);
    }
    return good ? ExitCode.OK : ExitCode.FAILED;
  }

  private boolean of(DrainPlan plan, DrainPolicy policy) {
    if (plan.pods().stream().anyMatch(pod -> pod.verdict().isRefused())) {
      fail(plan, "nothing would be evicted: " + DrainFailure.refusals(plan.impossible()));
      return false;
    }
    plan.warnings().forEach(warning -> terminal.err().println("Warning: " + warning));
    String verb = policy.deleteInsteadOfEvict() ? "deleting pod " : "evicting pod ";
    plan.pods().stream()
        .filter(pod -> pod.verdict().goes())
        .forEach(pod -> terminal.out().println(verb + pod.pod() + option.remark()));
    if (option == DryRunOption.server) {
      Map<PodRef, EvictionAnswer> answers = engine.plans().dryRun(plan.node(), policy);
      if (answers.values().stream().anyMatch(EvictionAnswer.Refusal.class::isInstance)) {
        fail(plan, "the server would refuse now: " + refusals(answers));
        return false;
      }
    }
    terminal.out().println("node/" + plan.node() + " drained" + option.remark());
    return true;
  }

  private void fail(DrainPlan plan, String why) {
    terminal
        .err()
        .println("error: node/" + plan.node() + " not drained" + option.remark() + ": " + why);
  }

  private static String refusals(Map<PodRef, EvictionAnswer> answers) {
    return answers.entrySet().stream()
        .filter(entry -> entry.getValue() instanceof EvictionAnswer.Refusal)
        .map(entry -> entry.getKey() + ": " + ((EvictionAnswer.Refusal) entry.getValue()).message())
        .collect(Collectors.joining("; "));
  }
}
