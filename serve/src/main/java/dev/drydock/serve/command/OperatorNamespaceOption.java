package dev.drydock.serve.command;

import dev.drydock.cli.KubeOptions;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The namespace of a cluster's operator, which also has its andon cord. */
public final class OperatorNamespaceOption {
  /** That of the manifests. */
  public static final String DEFAULT_NAMESPACE = "drydock-system";

  @Option(
      names = "--operator-namespace",
      paramLabel = "NAME",
      defaultValue = DEFAULT_NAMESPACE,
      description = "The namespace that 'drydock operator' runs in. Default: ${DEFAULT-VALUE}.")
  private String namespace = DEFAULT_NAMESPACE;

  /** For the help of a process that runs in that namespace and has {@code --namespace} for it. */
  public static void describeOwn(CommandSpec command) {
    KubeOptions.describeNamespace(command, "$NAMESPACE, then " + DEFAULT_NAMESPACE);
  }

  public String namespace() {
    return namespace;
  }
}
