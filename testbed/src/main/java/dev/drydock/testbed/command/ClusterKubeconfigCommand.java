package dev.drydock.testbed.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock cluster kubeconfig}: prints the cluster's admin kubeconfig. */
@Command(
    name = "kubeconfig",
    description = "Print the cluster's admin kubeconfig.",
    footer = {"", "Use it at once:  export KUBECONFIG=$(drydock cluster kubeconfig --path)"})
final class ClusterKubeconfigCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private ClusterName name = new ClusterName();

  @Option(names = "--path", description = "Print the file's path instead of its content.")
  private boolean path;

  @Override
  public Integer call() throws IOException {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    ClusterFolder folder = name.folder();
    Path kubeconfig =
        folder
            .running()
            .filter(_ -> folder.host().isPresent())
            .map(running -> Path.of(running.kubeconfig()))
            .orElseThrow(
                () ->
                    new CommandFailure(
                        "cluster \"%s\" is not up; start it with 'drydock cluster up%s'"
                            .formatted(folder.name(), ClusterName.flag(folder.name()))));
    if (path) {
      terminal.out().println(kubeconfig);
    } else {
      terminal.out().print(Files.readString(kubeconfig));
    }
    return ExitCode.OK;
  }
}
