package dev.drydock.maintenance.command;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.OptionalValue;
import dev.drydock.cli.OutputFormat;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Terminal;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.maintenance.command.MaintenanceCreation.Made;
import dev.drydock.maintenance.control.MaintenanceClassObject;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.serve.command.ExistenceCheck;
import dev.drydock.serve.command.NodeArguments;
import dev.drydock.serve.command.ObjectFollower;
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
      "Request maintenance of nodes, and follow it until they are back.",
      "Creates a NotifyMaintenance per node in --namespace, which 'drydock operator' carries out.",
      "The manifests in deploy let the operator create the Jobs of a class in drydock-maintenance only.",
      "The same command follows existing ones again. Cancel with kubectl delete notifymaintenance."
    })
public final class MaintainCommand implements DrydockCommand {
  enum Type {
    planned,
    unplanned
  }

  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private NodeArguments nodes = new NodeArguments();

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
      names = "--wait",
      paramLabel = "true|false",
      arity = "0..1",
      fallbackValue = "true",
      preprocessor = OptionalValue.class,
      description = "Follow until every node is back in production. Default: true.")
  private boolean wait = true;

  @Option(names = "--no-wait", description = "The same as --wait=false.")
  private boolean noWait;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "0s",
      description =
          "Stop following after this time, e.g. 2h; the maintenance continues. Default: 0s, no limit.")
  private Duration timeout = Duration.ZERO;

  @Option(
      names = "--dry-run",
      paramLabel = "none|client|server",
      arity = "0..1",
      fallbackValue = "client",
      preprocessor = OptionalValue.class,
      description =
          "Create nothing. client: show what would be created. server: also send dry-run requests.")
  private DryRunOption dryRun = DryRunOption.none;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Print the created objects as ${COMPLETION-CANDIDATES}.")
  private @Nullable CreatedFormat format;

  @Override
  public Integer call() throws InterruptedException {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    MaintenanceRequest.checkId(id);
    try (KubeConnection connection = kube.connect();
        Kube cluster = Kube.of(connection.client())) {
      MaintenanceRequest request =
          new MaintenanceRequest(
              connection.client().getNamespace(), id, type.name(), maintenanceClass, owner);
      List<String> names = nodes.resolve(cluster.http());
      ExistenceCheck existence = new ExistenceCheck(cluster.http());
      existence.requireKind(NotifyMaintenanceObject.RESOURCE, request.namespace());
      var _ = existence.requireNodes(names);
      if (maintenanceClass != null) {
        var _ = existence.require(MaintenanceClassObject.RESOURCE, maintenanceClass);
      }
      MaintenanceCreation creation = new MaintenanceCreation(cluster.http(), request, dryRun);
      if (!wait || noWait || dryRun != DryRunOption.none) {
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

  /** Printed one by one: if one is refused, the previous ones exist. */
  private void create(Terminal terminal, MaintenanceCreation creation, List<String> names) {
    List<JsonNode> objects = new ArrayList<>();
    for (String node : names) {
      Made made = creation.of(node);
      objects.add(made.object());
      if (format == null || format == CreatedFormat.name) {
        terminal.out().println(line(made));
        terminal.out().flush();
      }
    }
    if (format == CreatedFormat.json || format == CreatedFormat.yaml) {
      terminal
          .out()
          .print(
              OutputOption.text(
                  format == CreatedFormat.json ? OutputFormat.json : OutputFormat.yaml,
                  whole(objects)));
      terminal.out().flush();
    }
  }

  private String line(Made made) {
    String name =
        "notifymaintenance.ngn2.nvidia.com/" + made.object().path("metadata").path("name").asText();
    if (format == CreatedFormat.name) {
      return name;
    }
    if (made.existed()) {
      return name + " already there" + (made.state().isEmpty() ? "" : ", " + made.state());
    }
    return name + " created" + dryRun.remark();
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
