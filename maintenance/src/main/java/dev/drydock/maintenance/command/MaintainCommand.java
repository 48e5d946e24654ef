package dev.drydock.maintenance.command;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.maintenance.command.MaintenanceCreation.Made;
import dev.drydock.maintenance.control.MaintenanceClassObject;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.serve.command.DryRunOption;
import dev.drydock.serve.command.ExistenceCheck;
import dev.drydock.serve.command.NodeArguments;
import dev.drydock.serve.command.ObjectFollower;
import dev.drydock.serve.command.WaitOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code drydock maintain}: requests maintenances of nodes and follows them until the nodes have
 * returned.
 */
@Command(
    name = "maintain",
    addMethodSubcommands = false,
    description = {
      "Request maintenance of nodes, and follow it to its end.",
      "Creates a NotifyMaintenance per node in --namespace, which 'drydock operator' carries out.",
      "The same command follows existing ones again. Cancel with kubectl delete notifymaintenance."
    })
public final class MaintainCommand implements DrydockCommand {
  enum Type {
    planned,
    unplanned
  }

  private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private NodeArguments nodes = new NodeArguments();
  @Mixin private CreationOptions creationOptions = new CreationOptions();
  @Mixin private WaitOption wait = new WaitOption();

  @Option(
      names = "--id",
      paramLabel = "ID",
      required = true,
      description = "The task's ID, the same for all its nodes, e.g. fw-17.")
  private String id = "";

  @Option(
      names = "--class",
      paramLabel = "NAME",
      completionCandidates = ClassNameCandidates.class,
      description =
          "The MaintenanceClass that defines the steps. Default: none, other operators do the work.")
  private @Nullable String maintenanceClass;

  @Option(
      names = "--type",
      paramLabel = "planned|unplanned",
      description = "The type of maintenance. Default: planned.")
  private Type type = Type.planned;

  @Option(names = "--owner", paramLabel = "NAME", description = "The person or team responsible.")
  private @Nullable String owner;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "0s",
      description =
          "Stop following after this time, e.g. 2h; the maintenance continues. Default: 0s, no limit.")
  private Duration timeout = Duration.ZERO;

  @Spec
  void spec(CommandSpec command) {
    spec = command;
    KubeOptions.describeNamespace(
        command, CampaignNames.DEFAULT_NAMESPACE + "; without --class, the context's");
  }

  @Override
  public Integer call() throws InterruptedException {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    RequestedMaintenance.checkId(id);
    try (KubeConnection connection = kube.connect(defaultNamespace());
        Kube cluster = Kube.of(connection.client())) {
      RequestedMaintenance request =
          new RequestedMaintenance(
              connection.client().getNamespace(), id, type.name(), maintenanceClass, owner);
      List<String> names = nodes.resolve(cluster.http());
      ExistenceCheck existence = new ExistenceCheck(cluster.http());
      existence.requireKind(NotifyMaintenanceObject.RESOURCE, request.namespace());
      var _ = existence.requireNodes(names);
      if (maintenanceClass != null) {
        var _ = existence.require(MaintenanceClassObject.RESOURCE, maintenanceClass);
      }
      MaintenanceCreation creation =
          new MaintenanceCreation(cluster.http(), request, creationOptions.dryRun());
      if (!wait.isSet() || creationOptions.dryRun() != DryRunOption.none) {
        create(terminal, creation, names);
        return ExitCode.OK;
      }
      Set<String> objects =
          names.stream().map(request::name).collect(Collectors.toCollection(LinkedHashSet::new));
      // from before they are created, so that no entry of their histories is missed
      try (ObjectFollower<NotifyMaintenanceObject> objectFollower =
          new ObjectFollower<>(
                  cluster,
                  NotifyMaintenanceObject.RESOURCE.in(request.namespace()),
                  objects,
                  NotifyMaintenanceObject::read)
              .start()) {
        objectFollower.awaitSync();
        create(terminal, creation, names);
        return new MaintenanceFollower(terminal, request, names).keep(objectFollower, timeout);
      }
    }
  }

  /** With the shipped manifests, the operator may create the Jobs of classes only there. */
  private @Nullable String defaultNamespace() {
    return maintenanceClass == null ? null : CampaignNames.DEFAULT_NAMESPACE;
  }

  /** Printed one by one: if one is refused, the previous ones exist. */
  private void create(Terminal terminal, MaintenanceCreation creation, List<String> names) {
    List<JsonNode> objects = new ArrayList<>();
    for (String node : names) {
      Made made = creation.of(node);
      objects.add(made.object());
      if (!creationOptions.isWhole()) {
        terminal.out().println(line(made));
      }
    }
    creationOptions.whole(whole(objects)).ifPresent(terminal.out()::print);
  }

  private String line(Made made) {
    String name =
        "notifymaintenance.ngn2.nvidia.com/" + made.object().path("metadata").path("name").asText();
    if (!creationOptions.isForPeople()) {
      return name;
    }
    if (made.existed()) {
      return name + " already there" + (made.state().isEmpty() ? "" : ", " + made.state());
    }
    return name + " created" + creationOptions.dryRun().remark();
  }

  /** One object as it is, several as a List, as in kubectl. */
  private static JsonNode whole(List<JsonNode> objects) {
    if (objects.size() == 1) {
      return objects.getFirst();
    }
    ObjectNode list = Json.object().put("apiVersion", "v1").put("kind", "List");
    objects.forEach(list.putArray("items")::add);
    return list;
  }
}
