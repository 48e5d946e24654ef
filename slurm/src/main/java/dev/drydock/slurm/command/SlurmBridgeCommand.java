package dev.drydock.slurm.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.KubeOptions;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.serve.command.OperatorNamespaceOption;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.feature.ServerProcess;
import dev.drydock.serve.tls.ClientTls;
import dev.drydock.slurm.bridge.SlurmBridge;
import dev.drydock.slurm.bridge.rest.SlurmRestApi;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock slurm-bridge}: connects Nodes with a real Slurm. */
@Command(
    name = "slurm-bridge",
    addMethodSubcommands = false,
    description = {
      "Drain and resume nodes in Slurm, through slurmrestd, until stopped.",
      "Nodes that run Slurm workers are drained in Slurm while they have the cordon-reason"
          + " annotation. Conditions of the workers say what Slurm knows about them, and an"
          + " annotation when their jobs end."
    })
public final class SlurmBridgeCommand implements DrydockCommand {
  private static final String AUTO = "auto";

  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private SlurmProcessOptions process = new SlurmProcessOptions(":8080");

  @Option(
      names = "--slurm-url",
      required = true,
      paramLabel = "URL",
      description = "The address of slurmrestd, e.g. http://slurm-restapi.slurm:6820.")
  private String url = "";

  @Option(
      names = "--slurm-user",
      paramLabel = "NAME",
      defaultValue = "slurm",
      description =
          "The user that the token is for; it must be an operator of Slurm. Default: slurm.")
  private String user = "";

  @Option(
      names = "--slurm-token-file",
      paramLabel = "FILE",
      defaultValue = "/var/run/secrets/slurm/token",
      description =
          "The JWT that is shown to slurmrestd, as 'scontrol token' prints it; read again for each"
              + " request. Default: /var/run/secrets/slurm/token.")
  private Path tokenFile = Path.of("");

  @Option(
      names = "--slurm-api-version",
      paramLabel = "VERSION",
      defaultValue = AUTO,
      description =
          "v0.0.40, v0.0.41 or v0.0.42; auto for the newest of them that is served. Default: auto.")
  private String version = AUTO;

  @Option(
      names = "--slurm-ca-file",
      paramLabel = "FILE",
      description =
          "Certificates that slurmrestd's must come from, for an https address. Default: Java's own.")
  private @Nullable Path authorities;

  @Option(
      names = "--slurm-poll-interval",
      paramLabel = "TIME",
      defaultValue = "5s",
      description =
          "How often Slurm is asked about its nodes; slurmrestd reports no changes by itself."
              + " Default: 5s.")
  private Duration interval = Duration.ZERO;

  @Option(
      names = "--worker-selector",
      paramLabel = "SELECTOR",
      defaultValue = "app.kubernetes.io/name=slurmd,app.kubernetes.io/component=worker",
      description = "The labels of pods that are Slurm's workers. Default: ${DEFAULT-VALUE}.")
  private String selector = "";

  @Spec
  void spec(CommandSpec own) {
    OperatorNamespaceOption.describeOwn(own);
  }

  @Override
  public Integer call() {
    Source pods = Resource.PODS.in(process.slinkyNamespace()).labelSelector(selector());
    SlurmRestApi.Options slurm =
        new SlurmRestApi.Options(address(), user, tokenFile, version(), tls());
    Duration every = SlurmProcessOptions.positive("--slurm-poll-interval", interval);
    ServerProcess server = process.process("slurm-bridge", kube, System.getenv());
    return server.run(
        RequestInterceptor.NONE,
        (context, running) -> {
          SlurmRestApi api = new SlurmRestApi(slurm, context.kube().clock());
          SlurmBridge bridge =
              new SlurmBridge(
                  context.kube(),
                  api,
                  new SlurmBridge.Options(pods, every, context.namespace()),
                  context.meters());
          running.add(api::close);
          running.add(new Running(bridge));
          bridge.start();
        });
  }

  private record Running(SlurmBridge bridge) implements AgentRole.Running {
    @Override
    public Optional<String> unready() {
      return bridge.unready();
    }

    @Override
    public void close() {
      bridge.close();
    }
  }

  private String selector() {
    try {
      var _ = LabelSelector.parse(selector);
      return selector;
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage("--worker-selector: " + wrong.getMessage());
    }
  }

  private URI address() {
    try {
      URI uri = URI.create(url);
      if (uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
        return uri;
      }
    } catch (IllegalArgumentException malformed) {
      // said below
    }
    throw CommandFailure.usage(
        "--slurm-url \"%s\" is not an address; write it like http://slurm-restapi.slurm:6820"
            .formatted(url));
  }

  private Optional<String> version() {
    if (!version.equals(AUTO) && !SlurmRestApi.VERSIONS.contains(version)) {
      throw CommandFailure.usage(
          "--slurm-api-version must be auto or one of %s, not \"%s\""
              .formatted(String.join(", ", SlurmRestApi.VERSIONS), version));
    }
    return Optional.of(version).filter(given -> !given.equals(AUTO));
  }

  private Optional<SSLContext> tls() {
    if (authorities == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ClientTls(Optional.empty(), Optional.empty(), Optional.of(authorities)).context());
    } catch (IOException | GeneralSecurityException unusable) {
      throw CommandFailure.usage("--slurm-ca-file: " + unusable.getMessage());
    }
  }
}
