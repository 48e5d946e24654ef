package dev.drydock.serve.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.NodeNameCandidates;
import dev.drydock.cli.ShellWord;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Selects nodes by name or by label, as kubectl does. */
public final class NodeArguments {
  @Parameters(
      paramLabel = "NODE",
      arity = "0..*",
      completionCandidates = NodeNameCandidates.class,
      description = "Names of nodes.")
  private List<String> names = List.of();

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "SELECTOR",
      description =
          "All nodes with these labels, e.g. -l pool=gpu,zone=b. Not together with names.")
  private @Nullable String selector;

  /**
   * The selected nodes, in a stable order; fails if there are none, because then something was
   * mistyped.
   */
  public List<String> resolve(KubeHttp http) {
    if (selector == null) {
      if (names.isEmpty()) {
        throw CommandFailure.usage("which node? Give names, or --selector");
      }
      return names();
    }
    check();
    List<String> found = new ArrayList<>();
    var _ =
        http.list(source(), node -> found.add(node.path("metadata").path("name").asText()))
            .orThrow("list of nodes");
    if (found.isEmpty()) {
      throw nothingSelected(selector);
    }
    return found;
  }

  /** Names and labels exclude each other. */
  public void check() {
    if (selector != null && !names.isEmpty()) {
      throw CommandFailure.usage("give names or --selector, not both");
    }
  }

  public static CommandFailure nothingSelected(String selector) {
    return new CommandFailure(
        "no node has the labels %s; see: kubectl get nodes --show-labels".formatted(selector));
  }

  /** To give the same nodes to another command in a shell. */
  public String words() {
    if (selector == null) {
      return String.join(" ", names());
    }
    return "-l " + ShellWord.of(selector);
  }

  /** The given names, each once. */
  public List<String> names() {
    return names.stream().map(NodeArguments::bare).distinct().toList();
  }

  public @Nullable String selector() {
    return selector;
  }

  /** The nodes with the labels, or all. */
  public Source source() {
    Source all = Resource.NODES.all();
    return selector == null ? all : all.labelSelector(selector);
  }

  /** kubectl prints nodes as node/NAME and accepts this form. */
  private static String bare(String name) {
    return name.replaceFirst("^(nodes?|no)/", "");
  }

  public boolean none() {
    return names.isEmpty() && selector == null;
  }
}
