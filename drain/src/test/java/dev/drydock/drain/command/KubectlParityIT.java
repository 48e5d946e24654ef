package dev.drydock.drain.command;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.command.IdenticalNodesFixture.Extra;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The same flags on the same pods, once through the real {@code kubectl drain} and once through
 * {@code drydock drain}: the same pods are left behind, and the user is told the same about them.
 */
@ClusterTest
class KubectlParityIT {
  private static final int AT_ONCE = 4;
  private static final String ALL = "NODE --ignore-daemonsets --delete-emptydir-data --force ";

  /** What is said of pods, and must be said of the same ones in the same words. */
  private static final List<String> WORDS =
      List.of(
          "cannot delete Pods that declare no controller (use --force to override)",
          "cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)",
          "cannot delete Pods with local storage (use --delete-emptydir-data to override)",
          "ignoring DaemonSet-managed Pods",
          "deleting Pods that declare no controller");

  private static final Pattern PODS = Pattern.compile("\\G(?:, )?([a-z0-9.-]+/[a-z0-9.-]+)");

  /** A command line, NODE standing for the node, and what the node carries beside the cast. */
  private record Row(String flags, Extra extra) {
    static Row of(String flags) {
      return new Row(flags, Extra.NONE);
    }

    String[] words(String node) {
      return Arrays.stream(flags.strip().split(" "))
          .map(word -> word.replace("NODE", node).replace('+', ' '))
          .toArray(String[]::new);
    }
  }

  /** What a drain did and said, in terms that are the same for twins. */
  private record Result(
      boolean succeeded,
      boolean cordoned,
      Set<String> left,
      Map<String, Set<String>> said,
      Set<String> gone) {}

  private record Output(int exitCode, String out, String err) {}

  private final ControlPlane cluster;
  private final IdenticalNodesFixture nodes;

  KubectlParityIT(ControlPlane cluster, TestNamespace namespace) {
    this.cluster = cluster;
    nodes = new IdenticalNodesFixture(cluster, namespace.name());
  }

  @AfterEach
  void removeNodes() {
    nodes.close();
  }

  /** Every row has a pair of nodes of its own, because its pods go. */
  @TestFactory
  List<DynamicTest> drainsLeaveTheSamePodsBehind() throws Exception {
    List<Row> rows =
        List.of(
            Row.of(ALL),
            Row.of("-l twin=NODE --ignore-daemonsets --delete-emptydir-data --force"),
            Row.of("NODE --pod-selector=part=web"),
            Row.of("NODE --pod-selector=part+notin+(agent,bare,scratch) --chunk-size=1"),
            Row.of(ALL + "--grace-period=0 --chunk-size=0"),
            new Row(ALL + "--grace-period=1", Extra.SLOW),
            new Row(ALL + "--timeout=15s", Extra.SLOW),
            new Row(ALL + "--timeout=15s", Extra.GUARDED),
            new Row(ALL + "--timeout=15s", Extra.TWICE_GUARDED),
            new Row(ALL + "--disable-eviction", Extra.GUARDED),
            new Row(ALL + "--skip-wait-for-delete-timeout=1", Extra.STUCK));
    return compare(rows);
  }

  /** One pair of nodes for all rows. */
  @TestFactory
  List<DynamicTest> drainsThatMayNotTouchAnythingDoNot() throws Exception {
    List<Row> rows =
        Stream.of(
                "NODE",
                "node/NODE --ignore-daemonsets",
                "NODE --ignore-daemonsets --delete-emptydir-data",
                "--force NODE --delete-emptydir-data",
                "NODE --force=false --ignore-daemonsets=true --delete-emptydir-data=true",
                "NODE --pod-selector=part+in+(web,bare)",
                "NODE no-such-node --force",
                "no-such-node",
                "NODE -l twin=NODE",
                "--dry-run NODE",
                "--dry-run=client NODE --ignore-daemonsets",
                ALL + "--dry-run=client",
                ALL + "--dry-run=server --pod-selector=part!=guarded",
                ALL + "--dry-run=server --timeout=3s",
                ALL + "--dry-run=none --pod-selector=part=nobody",
                ALL + "--dry-run=bogus",
                ALL + "--timeout=soon",
                ALL + "--no-such-flag")
            .map(flags -> new Row(flags, Extra.GUARDED))
            .toList();
    Twin kubectl = new Twin(nodes.node("quiet-kubectl", Extra.GUARDED), this::kubectl);
    Twin drydock = new Twin(nodes.node("quiet-drydock", Extra.GUARDED), this::drydock);
    List<DynamicTest> tests = new ArrayList<>();
    for (Row row : rows) {
      Result expected = kubectl.drain(row);
      Result actual = drydock.drain(row);
      nodes.uncordon(kubectl.node(), drydock.node());
      tests.add(
          DynamicTest.dynamicTest(
              row.flags(),
              () -> {
                assertThat(actual).isEqualTo(expected);
                assertThat(actual.left()).hasSize(10).noneMatch(part -> part.contains("stopping"));
              }));
    }
    return tests;
  }

  private List<DynamicTest> compare(List<Row> rows) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<Result>> kubectl = run(threads, rows, "kubectl", this::kubectl);
      List<Future<Result>> drydock = run(threads, rows, "drydock", this::drydock);
      return IntStream.range(0, rows.size())
          .mapToObj(
              i ->
                  DynamicTest.dynamicTest(
                      rows.get(i).flags() + " with " + rows.get(i).extra(),
                      () -> assertThat(drydock.get(i).get()).isEqualTo(kubectl.get(i).get())))
          .toList();
    }
  }

  private List<Future<Result>> run(
      ExecutorService threads, List<Row> rows, String name, Function<String[], Output> drain) {
    return IntStream.range(0, rows.size())
        .mapToObj(
            i ->
                threads.submit(
                    () ->
                        new Twin(nodes.node(name + "-" + i, rows.get(i).extra()), drain)
                            .drain(rows.get(i))))
        .toList();
  }

  private Output kubectl(String... words) {
    CommandResult result =
        cluster.kubectl(Stream.concat(Stream.of("drain"), Stream.of(words)).toArray(String[]::new));
    return new Output(result.exitCode(), result.standardOutput(), result.standardError());
  }

  private Output drydock(String... words) {
    CommandOutcome outcome =
        CommandOutcome.run(
            Stream.of(
                    Stream.of("drain"),
                    Stream.of(words),
                    Stream.of("--kubeconfig", cluster.kubeconfig().toString()))
                .flatMap(part -> part)
                .toArray(String[]::new));
    return new Output(outcome.exitCode(), outcome.out(), outcome.err());
  }

  /** A node and the program that drains it. */
  private final class Twin {
    private final String node;
    private final Function<String[], Output> program;

    Twin(String node, Function<String[], Output> program) {
      this.node = node;
      this.program = program;
    }

    String node() {
      return node;
    }

    Result drain(Row row) {
      Map<String, String> parts = nodes.parts(node);
      Output output = program.apply(row.words(node));
      System.getLogger("parity").log(System.Logger.Level.INFO, row + " " + node + "\n" + output);
      return new Result(
          output.exitCode() == 0,
          nodes.cordoned(node),
          nodes.left(node),
          said(output.err(), parts),
          // kubectl looks once a second: it may give up before it has seen pods go
          output.exitCode() == 0 ? gone(output.out(), parts) : Set.of());
    }

    private Map<String, Set<String>> said(String text, Map<String, String> parts) {
      Map<String, Set<String>> said = new TreeMap<>();
      for (String words : WORDS) {
        for (int at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
          Set<String> pods = said.computeIfAbsent(words, none -> new TreeSet<>());
          Matcher pod = PODS.matcher(text).region(at + words.length() + 2, text.length());
          while (pod.find()) {
            pods.add(parts.getOrDefault(pod.group(1), pod.group(1)));
          }
        }
      }
      return said;
    }

    private Set<String> gone(String text, Map<String, String> parts) {
      return parts.entrySet().stream()
          .filter(
              pod -> {
                String name = pod.getKey().substring(pod.getKey().indexOf('/') + 1);
                return text.contains("pod/" + name + " evicted\n")
                    || text.contains("pod/" + name + " deleted\n");
              })
          .map(Map.Entry::getValue)
          .collect(toCollection(TreeSet::new));
    }
  }
}
