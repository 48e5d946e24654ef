package dev.drydock.drain.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.InterruptMessage;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.drain.request.DrainRequestClient;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.DrainRequestObject;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.ObjectName;
import dev.drydock.serve.command.ExistenceCheck;
import java.net.HttpURLConnection;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;

/** Requests drains by the cluster's operator and follows them. */
final class ServerSideDrain {
  private final Terminal terminal;
  private final Kube kube;
  private final String namespace;
  private final HolderOptions holder;

  ServerSideDrain(Terminal terminal, Kube kube, String namespace, HolderOptions holder) {
    this.terminal = terminal;
    this.kube = kube;
    this.namespace = namespace;
    this.holder = holder;
  }

  int of(List<String> nodes, DrainRequestSpec.Policy policy, int atOnce, DrainView newView) {
    List<DrainOutcome> outcomes;
    try (DrainView view = newView;
        InterruptMessage interruption = new InterruptMessage(terminal, this::interrupted)) {
      outcomes =
          nodes.stream()
              .gather(
                  Gatherers.mapConcurrent(
                      atOnce,
                      node -> {
                        interruption.begun(node);
                        DrainOutcome outcome = drain(node, policy, view);
                        interruption.ended(node);
                        return outcome;
                      }))
              .toList();
    }
    Map<Boolean, List<String>> byHeld =
        outcomes.stream()
            .collect(
                Collectors.partitioningBy(
                    this::isHeld, Collectors.mapping(DrainOutcome::node, Collectors.toList())));
    sayNext(byHeld.getOrDefault(true, List.of()), byHeld.getOrDefault(false, List.of()));
    return DrainCommand.exitCode(outcomes);
  }

  private void sayNext(List<String> held, List<String> others) {
    if (!held.isEmpty()) {
      terminal
          .err()
          .printf(
              "%s cordoned until you run: %s%n",
              held.size() == 1 ? "It stays" : "They stay", deletion(held));
    }
    if (!others.isEmpty()) {
      terminal
          .err()
          .printf(
              "%s not cordoned for this. To delete what was requested: %s%n",
              String.join(" ", others) + (others.size() == 1 ? " is" : " are"),
              deletion(others) + " --ignore-not-found");
    }
  }

  /**
   * A drain that failed may have cordoned the node or not, and someone may have uncordoned it since
   * then. Whoever may not read the node is told as if it was cordoned, which is the safe side.
   */
  private boolean isHeld(DrainOutcome outcome) {
    if (outcome.end() == DrainOutcome.End.DONE) {
      return true;
    }
    try {
      Holds holds = new NodeHolds(kube).read(outcome.node());
      return holds.unschedulable()
          && holds.heldBy(
              DrainRequestController.HOLD_OWNER.holder(namespace, name(outcome.node())));
    } catch (HoldsUnreadable unreadable) {
      return false; // nothing was added to them
    } catch (ApiFailure failure) {
      return failure.code() != HttpURLConnection.HTTP_NOT_FOUND;
    }
  }

  private DrainOutcome drain(String node, DrainRequestSpec.Policy policy, DrainView view) {
    DrainRequestSpec spec =
        DrainRequestSpec.of(
                node, holder.reason("drained by hand"), DrainRequest.BUILTIN_DRAINER, policy)
            .withMetadata(Map.of("requestedBy", holder.holder()));
    try (DrainRequestClient drain =
        DrainRequestClient.start(
            kube,
            new DrainRequestClient.Asked(namespace, name(node), spec),
            view.listener(node, false))) {
      DrainOutcome outcome = drain.outcome().join();
      view.ended(outcome, DrainFailure.line(outcome, List.of()));
      return outcome;
    } catch (ApiFailure failure) {
      if (failure.code() == HttpURLConnection.HTTP_NOT_FOUND) {
        new ExistenceCheck(kube.http()).requireKind(DrainRequestObject.RESOURCE, namespace);
        throw new CommandFailure(
            "namespace %s does not exist; choose another with --namespace".formatted(namespace),
            failure);
      }
      throw failure;
    }
  }

  /** Deterministic for a user and node, so that the same command finds it again. */
  private String name(String node) {
    return ObjectName.of(
        ("drain-" + node + "-" + holder.holder())
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9.-]", "-")
            .replaceAll("[.-]+$", ""));
  }

  private List<String> interrupted(Collection<String> unfinished) {
    return List.of(
        "Interrupted: the operator continues. Follow it again with the same command;",
        "cancel with: " + deletion(unfinished));
  }

  private String deletion(Collection<String> nodes) {
    return "kubectl delete drainrequest -n %s %s"
        .formatted(namespace, nodes.stream().map(this::name).collect(Collectors.joining(" ")));
  }
}
