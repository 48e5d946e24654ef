package dev.drydock.app.fleet;

import dev.drydock.app.fleet.Step.What;
import dev.drydock.drain.decide.DrainPolicy;
import dev.drydock.drain.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.decide.DrainPolicy.DaemonSets;
import dev.drydock.drain.decide.LabelSelector;
import dev.drydock.drain.decide.LabelSelector.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads what happens. The options of a drain have the names of the command's flags. */
final class ScenarioFields {
  private static final Duration REBOOT = Duration.ofMinutes(3);

  private enum End {
    fail,
    delete,
    force
  }

  private final Set<String> nodeNames;
  private final Fleet fleet;

  private ScenarioFields(Fleet fleet) {
    this.fleet = fleet;
    nodeNames =
        fleet.pools().stream()
            .flatMap(pool -> pool.nodes().stream())
            .map(Pool.Node::name)
            .collect(Collectors.toSet());
  }

  static Scenario scenario(Fields fields, Fleet fleet) {
    ScenarioFields reader = new ScenarioFields(fleet);
    List<Step> steps = new ArrayList<>();
    fields.objects("scenario").forEach(step -> reader.step(step).ifPresent(steps::add));
    return new Scenario(steps, fields.time("until"));
  }

  private Optional<Step> step(Fields fields) {
    Duration at = fields.time("at").orElse(Duration.ZERO);
    List<Step> found = new ArrayList<>();
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
    fields.refuseOthers();
    if (found.size() != 1) {
      fields.problem("give one of drain, fail, recover, reboot, rollOut, uncordon");
      return Optional.empty();
    }
    return Optional.of(found.getFirst());
  }

  private void add(
      List<Step> found, Duration at, Fields fields, String name, Function<Fields, What> reader) {
    fields
        .object(name)
        .ifPresent(
            step -> {
              NodeChoice nodes = nodes(step);
              What what = reader.apply(step);
              step.refuseOthers();
              found.add(new Step(at, nodes, what));
            });
  }

  private NodeChoice nodes(Fields fields) {
    List<String> names = fields.names("nodes");
    names.stream()
        .filter(name -> !nodeNames.contains(name))
        .forEach(name -> fields.problem("nodes", "there is no node \"" + name + "\""));
    List<Requirement> labels = new ArrayList<>();
    fields.selector("selector").ifPresent(selector -> labels.addAll(selector.requirements()));
    for (String name : List.of("pool", "zone", "rack")) {
      List<String> values = fields.names(name);
      if (!values.isEmpty()) {
        labels.add(Requirement.of(name, LabelSelector.Operator.IN, values.toArray(String[]::new)));
      }
    }
    NodeChoice choice = new NodeChoice(names, new LabelSelector(labels), fields.count("first", 0));
    if (names.isEmpty() && labels.isEmpty() && !fields.has("first")) {
      fields.problem("which nodes? Give nodes, selector, pool, zone, rack or first");
    } else if (choice.of(fleet).isEmpty()) {
      fields.problem("no node is meant by " + choice);
    }
    return choice;
  }

  private static DrainPolicy policy(Fields fields) {
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
      fields.problem("atDeadline", "needs deadline");
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
