package dev.drydock.app;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.KubeConnection;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code drydock check}: checks that the cluster can be reached and that the user may drain nodes.
 * Changes nothing.
 */
@Command(
    name = "check",
    addMethodSubcommands = false,
    description = {
      "Check that the cluster answers and lets you drain nodes.",
      "Changes nothing. Fails if a permission is missing; --namespace checks the pods of one namespace only."
    })
public final class CheckCommand implements DrydockCommand {
  /** A permission that draining a node needs. */
  record Right(
      String verb,
      String group,
      String resource,
      String subresource,
      boolean namespaced,
      String purpose) {
    String target() {
      String plural = subresource.isEmpty() ? resource : resource + "/" + subresource;
      return group.isEmpty() ? plural : plural + "." + group;
    }
  }

  record Answer(String verb, String resource, boolean allowed, String purpose, String reason) {}

  record Report(
      String server,
      String serverVersion,
      @Nullable String context,
      String namespaces,
      List<Answer> rights) {}

  private static final int REVIEWS_AT_ONCE = 8;

  private static final List<Right> RIGHTS =
      List.of(
          new Right("get", "", "nodes", "", false, "read the node"),
          new Right("list", "", "nodes", "", false, "select nodes by label"),
          new Right("watch", "", "nodes", "", false, "notice a manual uncordon"),
          new Right("patch", "", "nodes", "", false, "cordon and hold the node"),
          new Right("patch", "", "nodes", "status", false, "report drain conditions"),
          new Right("list", "", "pods", "", true, "find the node's pods"),
          new Right("watch", "", "pods", "", true, "observe pods leaving"),
          new Right("delete", "", "pods", "", true, "delete after the deadline"),
          new Right("create", "", "pods", "eviction", true, "evict pods"),
          new Right("list", "policy", "poddisruptionbudgets", "", true, "respect budgets"),
          new Right("watch", "policy", "poddisruptionbudgets", "", true, "observe budgets"),
          new Right("get", "apps", "daemonsets", "", true, "recognize DaemonSet pods"),
          new Right("create", "", "events", "", true, "record Events"));

  @Spec private @Nullable CommandSpec spec;
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    try (KubeConnection connection = kube.connect()) {
      Report report = inspect(connection);
      output.print(terminal, report, wide -> print(terminal, report, wide));
      long missing = report.rights().stream().filter(right -> !right.allowed()).count();
      if (missing > 0) {
        throw new CommandFailure(
            missing
                + " of "
                + report.rights().size()
                + " permissions are missing; ask the cluster's admin, or use another --context");
      }
    }
    return ExitCode.OK;
  }

  private static Report inspect(KubeConnection connection) {
    KubernetesClient client = connection.client();
    String version = requireNonNull(client.getKubernetesVersion()).getGitVersion();
    List<Answer> answers =
        RIGHTS.stream()
            .gather(
                Gatherers.mapConcurrent(
                    REVIEWS_AT_ONCE, right -> review(client, right, connection.namespaceFlag())))
            .toList();
    return new Report(
        connection.server(),
        version,
        connection.context().orElse(null),
        Objects.requireNonNullElse(connection.namespaceFlag(), "all"),
        answers);
  }

  private static Answer review(KubernetesClient client, Right right, @Nullable String namespace) {
    SelfSubjectAccessReview answer =
        client
            .authorization()
            .v1()
            .selfSubjectAccessReview()
            .create(
                new SelfSubjectAccessReviewBuilder()
                    .withNewSpec()
                    .withResourceAttributes(attributes(right, namespace))
                    .endSpec()
                    .build());
    String reason = answer.getStatus().getReason();
    return new Answer(
        right.verb(),
        right.target(),
        answer.getStatus().getAllowed(),
        right.purpose(),
        reason == null ? "" : reason);
  }

  private static ResourceAttributes attributes(Right right, @Nullable String namespace) {
    ResourceAttributes attributes = new ResourceAttributes();
    attributes.setVerb(right.verb());
    attributes.setGroup(right.group());
    attributes.setResource(right.resource());
    attributes.setSubresource(right.subresource());
    if (right.namespaced() && namespace != null) {
      attributes.setNamespace(namespace);
    }
    return attributes;
  }

  private static void print(Terminal terminal, Report report, boolean wide) {
    terminal
        .out()
        .println("Server " + report.server() + " runs Kubernetes " + report.serverVersion() + ".");
    terminal.out().println();
    Table table =
        wide
            ? new Table("ALLOWED", "VERB", "RESOURCE", "NEEDED TO", "REASON")
            : new Table("ALLOWED", "VERB", "RESOURCE", "NEEDED TO");
    for (Answer right : report.rights()) {
      String allowed = right.allowed() ? "yes" : "no";
      if (wide) {
        table.row(allowed, right.verb(), right.resource(), right.purpose(), right.reason());
      } else {
        table.row(allowed, right.verb(), right.resource(), right.purpose());
      }
    }
    table.print(terminal);
  }
}
