package dev.drydock.drain.command;

import picocli.CommandLine.Option;

/** Where the andon cord of a cluster is. */
public final class CordOptions {
  /** Where the manifests install the operator. */
  public static final String DEFAULT_NAMESPACE = "drydock-system";

  @Option(
      names = "--operator-namespace",
      paramLabel = "NAME",
      defaultValue = DEFAULT_NAMESPACE,
      description = "The namespace that 'drydock operator' runs in. Default: ${DEFAULT-VALUE}.")
  private String namespace = DEFAULT_NAMESPACE;

  public String namespace() {
    return namespace;
  }
}
