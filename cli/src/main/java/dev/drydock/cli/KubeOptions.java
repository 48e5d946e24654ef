package dev.drydock.cli;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The flags that select cluster, user and namespace, with kubectl's names and meaning. As with
 * kubectl they may precede or follow the command; a command that talks to no cluster rejects them
 * instead of ignoring them.
 */
@Command(addMethodSubcommands = false)
public final class KubeOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Path to the kubeconfig file. Default: $KUBECONFIG, then ~/.kube/config, then in-cluster.")
  private @Nullable String kubeconfig;

  @Option(names = "--context", paramLabel = "NAME", description = "The kubeconfig context to use.")
  private @Nullable String context;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "The namespace to work in. Default: the context's.")
  private @Nullable String namespace;

  /**
   * Opens the selected cluster without sending a request. Fails with a {@link CommandFailure} if
   * none is selected.
   */
  public KubeConnection connect() {
    return connect(null);
  }

  /**
   * As {@link #connect()}; {@code otherwiseIn}, if not null, applies if no flag sets a namespace.
   */
  public KubeConnection connect(@Nullable String otherwiseIn) {
    KubeOptions merged = merged();
    return KubeConnection.open(merged.kubeconfig, merged.context, merged.namespace(otherwiseIn));
  }

  /** As {@link #connect(String)}, for a program that has to be small. */
  public ApiConnection connectHttp(String otherwiseIn) {
    KubeOptions merged = merged();
    return KubeConnection.openHttp(
        merged.kubeconfig, merged.context, merged.namespace(otherwiseIn));
  }

  private KubeOptions merged() {
    return before().filter(given -> given != this).map(this::orElse).orElse(this);
  }

  private @Nullable String namespace(@Nullable String otherwise) {
    return namespace != null ? namespace : otherwise;
  }

  /**
   * For the help of a command whose namespace does not come from the context.
   *
   * @param otherwise its default
   */
  public static void describeNamespace(CommandSpec command, String otherwise) {
    OptionSpec contexts = command.findOption("--namespace");
    command.remove(contexts);
    command.addOption(
        OptionSpec.builder(contexts)
            .description("The namespace to work in. Default: %s.".formatted(otherwise))
            .build());
  }

  /** The flags that the user set, by name; empty if none. */
  Stream<String> given() {
    return Stream.of(
            kubeconfig == null ? null : "--kubeconfig",
            context == null ? null : "--context",
            namespace == null ? null : "--namespace")
        .filter(Objects::nonNull)
        .map(String::valueOf);
  }

  private Optional<KubeOptions> before() {
    return Optional.ofNullable(command).flatMap(spec -> of(spec.root()));
  }

  private KubeOptions orElse(KubeOptions before) {
    KubeOptions merged = new KubeOptions();
    merged.kubeconfig = kubeconfig != null ? kubeconfig : before.kubeconfig;
    merged.context = context != null ? context : before.context;
    merged.namespace = namespace != null ? namespace : before.namespace;
    return merged;
  }

  /** A command's options, if it has any. */
  static Optional<KubeOptions> of(CommandSpec spec) {
    return spec.mixins().values().stream()
        .map(CommandSpec::userObject)
        .filter(KubeOptions.class::isInstance)
        .map(KubeOptions.class::cast)
        .findFirst();
  }
}
