package dev.drydock.slurm.command;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.GoFlags;
import dev.drydock.cli.KubeOptions;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.serve.feature.ServerProcess;
import dev.drydock.slurm.mock.MockSlurmOperator;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code drydock mock-slurm}: stands in for Slurm in demos and tests. */
@Command(
    name = "mock-slurm",
    addMethodSubcommands = false,
    preprocessor = GoFlags.class,
    description = {
      "Stand in for Slurm in demos and tests, until stopped.",
      "Workers on a Node with the cordon-reason annotation are said to be drained at once. For a"
          + " real Slurm use: drydock slurm-bridge"
    })
public final class MockSlurmCommand implements DrydockCommand {
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private SlurmProcessOptions process = new SlurmProcessOptions("0");

  @Option(
      names = "--reconcile-interval",
      paramLabel = "TIME",
      defaultValue = "5s",
      description =
          "How often annotated nodes are looked at although no change was reported. Default: 5s.")
  private Duration reconcileInterval = Duration.ZERO;

  @Override
  public Integer call() {
    String namespace = process.slinkyNamespace();
    Duration interval = SlurmProcessOptions.positive("--reconcile-interval", reconcileInterval);
    ServerProcess server = process.process("mock-slurm", kube, System.getenv());
    return server.run(
        RequestInterceptor.NONE,
        (context, running) -> {
          MockSlurmOperator mock = new MockSlurmOperator(context.kube(), namespace, interval);
          running.add(mock::close);
          mock.start();
        });
  }
}
