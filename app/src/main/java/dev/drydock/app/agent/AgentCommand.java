package dev.drydock.app.agent;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.HelpLines;
import dev.drydock.cli.KubeOptions;
import dev.drydock.cli.NearestName;
import dev.drydock.serve.command.OperatorNamespaceOption;
import dev.drydock.serve.feature.AgentProcess;
import dev.drydock.serve.feature.AgentProcessOptions;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.Features;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drydock agent}: runs what features do on one node, on the node or elsewhere. */
@Command(
    name = "agent",
    addMethodSubcommands = false,
    description = {"Run what the parts do on one node, until stopped.", "Its parts:"})
public final class AgentCommand implements DrydockCommand {
  private final Map<String, AgentRole> roles = new LinkedHashMap<>();
  private final List<String> byDefault = new ArrayList<>();

  @Mixin private KubeOptions kube = new KubeOptions();
  @Mixin private AgentProcessOptions process = new AgentProcessOptions();

  @Option(
      names = "--parts",
      paramLabel = "PART",
      split = ",",
      description =
          "Run only these parts, separated by commas. Default: all but those that have to be"
              + " named.")
  private List<String> parts = List.of();

  /** Also gives the command the flags of all features that do something on nodes. */
  @Spec
  void spec(CommandSpec own) {
    OperatorNamespaceOption.describeOwn(own);
    for (Feature feature : Features.load().all()) {
      feature
          .agent()
          .ifPresent(
              role -> {
                roles.put(feature.agentPart(), role);
                if (!feature.onlyIfNamed()) {
                  byDefault.add(feature.agentPart());
                }
                HelpLines.append(own, helpOf(feature, role));
                own.addMixin(feature.agentPart(), CommandSpec.forAnnotatedObject(role));
              });
    }
  }

  private static List<String> helpOf(Feature feature, AgentRole role) {
    return Stream.concat(
            Stream.of(
                "  %s%s: %s"
                    .formatted(
                        feature.agentPart(),
                        feature.onlyIfNamed() ? ", only if named" : "",
                        role.summary().getFirst())),
            role.summary().stream().skip(1).map("    "::concat))
        .toList();
  }

  @Override
  public Integer call() {
    List<String> wanted = parts.isEmpty() ? byDefault : parts;
    for (String part : wanted) {
      if (!roles.containsKey(part)) {
        throw CommandFailure.usage(
            Features.load().parts().contains(part)
                ? "--parts: %s has no agent; use one of %s"
                    .formatted(part, String.join(", ", roles.keySet()))
                : "--parts: there is no part \"%s\"; %s"
                    .formatted(part, NearestName.meant(part, roles.keySet())));
      }
    }
    return new AgentProcess(
            kube, process, wanted.stream().map(roles::get).toList(), System.getenv())
        .run();
  }
}
