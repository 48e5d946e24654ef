package dev.drydock.lifecycle.command;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CrdInstall;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.InterruptMessage;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.ObjectName;
import dev.drydock.lifecycle.api.ApiGroupAvailability;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecyclePaths;
import dev.drydock.lifecycle.decide.LifecycleRef;
import dev.drydock.serve.command.ExistenceCheck;
import dev.drydock.serve.command.NodeArguments;
import dev.drydock.serve.command.WaitOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands have in common that create LifecycleEvents and follow them. */
@Command(addMethodSubcommands = false)
final class LifecycleEventCreation {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private NodeArguments nodes = new NodeArguments();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private WaitOption wait = new WaitOption();

  @Option(
      names = "--transition",
      paramLabel = "NAME",
      description = "The LifecycleTransition. Default: that of drain.slm.k8s.io.")
  private @Nullable String transition;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "0s",
      description = "How long to follow; the event continues after that. Default: to the end.")
  private Duration timeout = Duration.ZERO;

  /**
   * What is asked for, and the words for it.
   *
   * @param prefix of the events' names, before that of the node
   */
  record Ask(String prefix, String usualTransition, String done) {}

  int run(Ask ask) throws InterruptedException {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    nodes.check();
    if (nodes.none()) {
      throw CommandFailure.usage("which node? Give names, or --selector");
    }
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client())) {
      String group = group(cluster.http());
      List<String> meant = nodes.resolve(cluster.http());
      var _ = new ExistenceCheck(cluster.http()).requireNodes(meant);
      List<LifecycleEventObject> events = new ArrayList<>();
      for (String node : meant) {
        events.add(
            create(
                cluster.http(),
                terminal,
                ask,
                new LifecycleRef(group, ObjectName.of(ask.prefix() + "-" + node)),
                node));
      }
      return wait.isSet() ? follow(cluster, terminal, ask, events) : ExitCode.OK;
    }
  }

  /** The group that existing manifests use, if the cluster serves it. */
  private static String group(KubeHttp http) {
    for (String group : LifecycleNames.GROUPS) {
      if (ApiGroupAvailability.of(http, group).serves()) {
        return group;
      }
    }
    throw CrdInstall.missing("LifecycleEvent", CrdInstall.LIFECYCLE);
  }

  private LifecycleEventObject create(
      KubeHttp http, Terminal terminal, Ask ask, LifecycleRef ref, String node) {
    ObjectNode event = LifecyclePaths.eventKind(ref.group()).manifest("", ref.name());
    String wanted = transition == null ? ask.usualTransition() : transition;
    event.putObject("spec").put("transitionName", wanted).put("bindingNode", node);
    KubeHttp.Creation creation = http.createOrFind(LifecyclePaths.eventKind(ref.group()), event);
    boolean exists = creation.existed();
    LifecycleEventObject seen = LifecycleEventObject.read(ref.group(), creation.object());
    if (exists && seen.facts().claim().isTerminal()) {
      throw new CommandFailure(
          "an earlier LifecycleEvent %s still exists: %s: %s; delete it first: kubectl delete lifecycleevents.%s %s"
              .formatted(ref, seen.facts().claim(), seen.facts().message(), ref.group(), ref));
    }
    if (!seen.node().equals(node) || !seen.facts().transition().equals(wanted)) {
      throw new CommandFailure(
          "LifecycleEvent %s already exists, for transition %s of node %s; wait for its end, or delete it: kubectl delete lifecycleevents.%s %s"
              .formatted(ref, seen.facts().transition(), seen.node(), ref.group(), ref));
    }
    terminal.err().printf("lifecycleevent/%s %s%n", ref, exists ? "already exists" : "created");
    return seen;
  }

  private int follow(Kube cluster, Terminal terminal, Ask ask, List<LifecycleEventObject> events)
      throws InterruptedException {
    List<String> failures;
    List<LifecycleEventFollower.Ending> endings;
    try (InterruptMessage interruption =
        new InterruptMessage(terminal, left -> interrupted(events, left))) {
      LifecycleEventFollower follower =
          new LifecycleEventFollower(cluster.http(), terminal, interruption, events);
      failures = new ArrayList<>(follower.keep(cluster, timeout));
      endings = follower.endings();
    }
    output.print(terminal, endings, wide -> print(terminal, ask, endings));
    endings.stream()
        .filter(ending -> !ending.succeeded())
        .map(ending -> ending.failure(ask.done()))
        .forEach(failures::add);
    if (!failures.isEmpty()) {
      throw new CommandFailure(String.join("; ", failures));
    }
    return ExitCode.OK;
  }

  private static void print(
      Terminal terminal, Ask ask, List<LifecycleEventFollower.Ending> endings) {
    endings.stream()
        .filter(LifecycleEventFollower.Ending::succeeded)
        .forEach(ending -> terminal.out().printf("node/%s %s%n", ending.node(), ask.done()));
  }

  private static List<String> interrupted(
      List<LifecycleEventObject> events, Collection<String> unfinished) {
    String names = String.join(" ", unfinished);
    return List.of(
        "Interrupted: LifecycleEvent %s continues. Follow it again with the same command;"
            .formatted(names),
        "cancel it with: kubectl delete lifecycleevents.%s %s"
            .formatted(events.getFirst().facts().ref().group(), names));
  }
}
