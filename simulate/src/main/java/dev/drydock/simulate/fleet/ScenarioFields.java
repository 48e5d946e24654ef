package dev.drydock.simulate.fleet;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSelector.Requirement;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.engine.decide.DrainPolicy.DaemonSets;
import dev.drydock.simulate.fleet.ScenarioStep.What;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads scenarios. The options of a drain have the names of the command's flags. */
final class ScenarioFields {
  private static final Duration REBOOT = Duration.ofMinutes(3);
  private static final int MOST_NODES = 1_000_000;
  private static final List<String> ACTIONS =
      List.of("drain", "fail", "recover", "reboot", "rollOut", "uncordon");

  private enum End {
    fail,
    delete,
    force
  }

  private final Optional<Fleet> fleet;
  private final Optional<Set<String>> nodeNames;

  private ScenarioFields(Optional<Fleet> fleet) {
    this.fleet = fleet;
    nodeNames = fleet.map(Fleet::pools).map(Pool::nodeNames);
  }

  /**
   * The scenario in these fields.
   *
   * @param fleet absent if it could not be read because of mistakes
   */
  static Scenario scenario(FieldReader fields, Optional<Fleet> fleet) {
    ScenarioFields reader = new ScenarioFields(fleet);
    List<ScenarioStep> steps = new ArrayList<>();
    fields.objects("scenario").forEach(step -> reader.step(step).ifPresent(steps::add));
    return new Scenario(steps, fields.time("until"));
  }

  private Optional<ScenarioStep> step(FieldReader fields) {
    Duration at = fields.time("at").orElse(Duration.ZERO);
    List<ScenarioStep> found = new ArrayList<>();
    add(found, at, fields, "drain", f -> new What.Drain(policy(f), f.count("parallel", 0)));
    add(found, at, fields, "fail", _ -> new What.Fail());
    add(found, at, fields, "recover", _ -> new What.Recover());
    add(found, at, fields, "reboot", f -> new What.Reboot(f.time("takes").orElse(REBOOT)));
    add(
        found,
        at,
        fields,
        "rollOut",
        f ->
            new What.RollOut(
                policy(f), f.count("parallel", 1), f.time("rebootTakes").orElse(REBOOT)));
    add(found, at, fields, "uncordon", _ -> new What.Uncordon());
    if (found.isEmpty()) {
      fields.problemIfAlone("give one of " + String.join(", ", ACTIONS));
    } else if (found.size() > 1) {
      fields.problem(
          String.join(" and ", ACTIONS.stream().filter(fields::has).toList())
              + " are more than one thing: make each a step of its own");
    }
    fields.refuseOthers();
    return found.stream().findFirst();
  }

  private void add(
      List<ScenarioStep> found,
      Duration at,
      FieldReader fields,
      String name,
      Function<FieldReader, What> reader) {
    fields
        .object(name)
        .ifPresent(
            step -> {
              NodeSelection nodes = nodes(step);
              What what = reader.apply(step);
              step.refuseOthers();
              found.add(new ScenarioStep(at, nodes, what));
            });
  }

  private NodeSelection nodes(FieldReader fields) {
    List<String> names = fields.names("nodes");
    nodeNames
        .flatMap(known -> NameSuggestion.unknownNodes(names, known))
        .ifPresent(line -> fields.problem("nodes", line));
    List<Requirement> labels = new ArrayList<>();
    fields.selector("selector").ifPresent(selector -> labels.addAll(selector.requirements()));
    for (String name : List.of("pool", "zone", "rack")) {
      List<String> values = fields.names(name);
      if (!values.isEmpty()) {
        labels.add(Requirement.of(name, LabelSelector.Operator.IN, values.toArray(String[]::new)));
      }
    }
    int first = (int) fields.number("first", 0, 1, MOST_NODES);
    NodeSelection choice = new NodeSelection(names, new LabelSelector(labels), first);
    if (names.isEmpty() && labels.isEmpty() && !fields.has("first")) {
      fields.problemIfAlone("which nodes? Give nodes, selector, pool, zone, rack or first");
    } else if (fleet.filter(known -> choice.of(known).isEmpty()).isPresent()) {
      fields.problemIfAlone("no node is meant by " + choice + choice.hint(fleet.orElseThrow()));
    }
    return choice;
  }

  private static DrainPolicy policy(FieldReader fields) {
    DrainPolicy.Builder policy =
        DrainPolicy.builder()
            .force(fields.flag("force"))
            .daemonSets(fields.flag("ignoreDaemonSets") ? DaemonSets.IGNORE : DaemonSets.REFUSE)
            .emptyDirDataMayGo(fields.flag("deleteEmptyDirData"))
            .deleteInsteadOfEvict(fields.flag("disableEviction"))
            .waitForJobs(fields.flag("waitForJobs"));
    fields.time("gracePeriod").ifPresent(time -> policy.gracePeriodSeconds(time.toSeconds()));
    fields.selector("podSelector").ifPresent(policy::podSelector);
    fields.time("skipWaitForDelete").ifPresent(policy::skipWait);
    fields.time("forceAfter").ifPresent(policy::forceAfter);
    Optional<Duration> deadline = fields.time("deadline");
    End end = fields.choice("atDeadline", End.fail);
    if (fields.has("atDeadline") && !fields.has("deadline")) {
      fields.problemIfAlone("atDeadline", "needs deadline");
    }
    deadline.ifPresent(time -> policy.deadline(time, atDeadline(end)));
    try {
      return policy.build();
    } catch (IllegalArgumentException wrong) {
      fields.problem(String.valueOf(wrong.getMessage()));
      return DrainPolicy.defaults();
    }
  }

  private static AtDeadline atDeadline(End end) {
    return switch (end) {
      case fail -> AtDeadline.FAIL;
      case delete -> AtDeadline.DELETE;
      case force -> AtDeadline.FORCE_DELETE;
    };
  }
}
