package dev.drydock.slurm.command;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.GoFlags;
import dev.drydock.cli.KubeOptions;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.serve.command.OperatorNamespaceOption;
import dev.drydock.serve.feature.ServerProcess;
import dev.drydock.slurm.drainer.SlinkyDrainController;
import dev.drydock.slurm.drainer.decide.SlinkyDrainDecider;
import dev.drydock.slurm.drainer.decide.UnreadyPods;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock slinky-drainer}: drains nodes that run Slurm workers, through Slurm. */
@Command(
    name = "slinky-drainer",
    addMethodSubcommands = false,
    preprocessor = GoFlags.class,
    description = {
      "Drain nodes that run Slurm workers, as DrainRequests ask, until stopped.",
      "Serves requests that name slinky-drainer, custom or nobody. The Node is annotated, so that"
          + " Slurm gives it no new jobs; its workers are deleted when Slurm says that their jobs"
          + " have ended."
    })
public final class SlinkyDrainerCommand implements DrydockCommand {
  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private SlurmProcessOptions process = new SlurmProcessOptions(":8080");

  @Option(
      names = "--drain-timeout",
      paramLabel = "TIME",
      defaultValue = "30m",
      description =
          "A drain that takes longer is given up: DrainComplete=False, reason DrainTimeout."
              + " Default: 30m.")
  private Duration drainTimeout = Duration.ZERO;

  @Option(
      names = "--pod-check-interval",
      paramLabel = "TIME",
      defaultValue = "5s",
      description =
          "How often waiting drains are looked at although no change was reported. Default: 5s.")
  private Duration podCheckInterval = Duration.ZERO;

  @Option(
      names = "--unready",
      paramLabel = "wait|ignore",
      defaultValue = "wait",
      description =
          "Pods that are not Ready and that Slurm has not drained: wait for them, or ignore that and"
              + " delete them with the others. Default: wait.")
  private Unready unready = Unready.wait;

  /** As users write it. */
  private enum Unready {
    wait,
    ignore
  }

  @Spec
  void spec(CommandSpec own) {
    OperatorNamespaceOption.describeOwn(own);
  }

  @Override
  public Integer call() {
    String namespace = process.slinkyNamespace();
    SlinkyDrainDecider.Limits limits =
        new SlinkyDrainDecider.Limits(
            SlurmProcessOptions.positive("--drain-timeout", drainTimeout),
            SlurmProcessOptions.positive("--pod-check-interval", podCheckInterval),
            unready == Unready.ignore ? UnreadyPods.IGNORE : UnreadyPods.WAIT);
    ServerProcess server = process.process("slinky-drainer", kube, System.getenv());
    return server.run(
        RequestInterceptor.NONE,
        (context, running) -> {
          SlinkyDrainController controller =
              new SlinkyDrainController(
                  context.kube(),
                  new SlinkyDrainController.Options(namespace, context.namespace(), limits),
                  context.meters());
          running.add(controller::close);
          controller.start();
        });
  }
}
