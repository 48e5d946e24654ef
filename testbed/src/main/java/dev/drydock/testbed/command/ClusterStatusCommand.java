package dev.drydock.testbed.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.Ages;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.File;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock cluster status}: lists the clusters and whether they respond. */
@Command(
    name = "status",
    description = {
      "Show the clusters on this machine.",
      "With --name, fail unless that one is up."
    })
final class ClusterStatusCommand implements Callable<Integer> {
  private static final int ANSWER_MILLIS = 5_000;

  enum State {
    Up,
    Starting,
    NotAnswering,
    Dead
  }

  record Status(
      String name,
      State status,
      @Nullable Integer readyNodes,
      @Nullable Integer nodes,
      @Nullable Long pid,
      ClusterFolder.@Nullable Running cluster) {}

  @Spec private @Nullable CommandSpec spec;
  @Mixin private OutputOption output = new OutputOption();

  @Option(names = "--name", paramLabel = "NAME", description = "Only this cluster. Default: all.")
  private @Nullable String name;

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    if (name != null) {
      ClusterName.checked(name);
    }
    List<Status> all =
        ClusterFolder.all().stream()
            .filter(folder -> name == null || folder.name().equals(name))
            .map(ClusterStatusCommand::inspect)
            .toList();
    if (name == null || !all.isEmpty()) {
      output.print(terminal, all, wide -> print(terminal, all, wide));
    }
    if (name != null && all.stream().noneMatch(status -> status.status() == State.Up)) {
      throw new CommandFailure(
          "cluster \"%s\" is not up; start it with 'drydock cluster up%s'"
              .formatted(name, ClusterName.flag(name)));
    }
    return ExitCode.OK;
  }

  private static Status inspect(ClusterFolder folder) {
    Long pid = folder.host().map(ProcessHandle::pid).orElse(null);
    ClusterFolder.Running running = folder.running().orElse(null);
    if (pid == null || running == null) {
      State state = pid == null ? State.Dead : State.Starting;
      return new Status(folder.name(), state, null, null, pid, running);
    }
    try (KubernetesClient client = client(running)) {
      List<Node> nodes = client.nodes().list().getItems();
      int ready = (int) nodes.stream().filter(Readiness::isNodeReady).count();
      return new Status(folder.name(), State.Up, ready, nodes.size(), pid, running);
    } catch (KubernetesClientException _) {
      // the user asked exactly this: does it respond?
      return new Status(folder.name(), State.NotAnswering, null, null, pid, running);
    }
  }

  private static KubernetesClient client(ClusterFolder.Running running) {
    Config config = Config.fromKubeconfig(new File(running.kubeconfig()));
    config.setRequestTimeout(ANSWER_MILLIS);
    config.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private static void print(Terminal terminal, List<Status> all, boolean wide) {
    if (all.isEmpty()) {
      terminal.err().println("No cluster is up. Start one with: drydock cluster up");
      return;
    }
    Table table =
        wide
            ? new Table(
                "NAME",
                "STATUS",
                "READY",
                "VERSION",
                "AGE",
                "SERVER",
                "PID",
                "KUBECONFIG",
                "KUBECTL")
            : new Table("NAME", "STATUS", "READY", "VERSION", "AGE", "SERVER");
    for (Status each : all) {
      Optional<ClusterFolder.Running> cluster = Optional.ofNullable(each.cluster());
      List<Object> row = new ArrayList<>();
      row.add(each.name());
      row.add(each.status());
      row.add(each.nodes() == null ? "" : each.readyNodes() + "/" + each.nodes());
      row.add(cluster.map(ClusterFolder.Running::version).orElse(""));
      row.add(cluster.map(ClusterStatusCommand::age).orElse(""));
      row.add(cluster.map(ClusterFolder.Running::server).orElse(""));
      if (wide) {
        row.add(each.pid() == null ? "" : each.pid());
        row.add(cluster.map(ClusterFolder.Running::kubeconfig).orElse(""));
        row.add(cluster.map(ClusterFolder.Running::kubectl).orElse(""));
      }
      table.row(row.toArray());
    }
    table.print(terminal);
  }

  private static String age(ClusterFolder.Running running) {
    return Ages.between(running.since(), Clock.systemUTC().instant());
  }
}
