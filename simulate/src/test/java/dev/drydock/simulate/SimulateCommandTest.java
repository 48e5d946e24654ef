package dev.drydock.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.testbed.CommandOutcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the whole command line, without a cluster. */
class SimulateCommandTest {
  private static final String HEADER = "apiVersion: drydock.dev/v1alpha1\nkind: Fleet\n";

  private static final String FLEET =
      HEADER
          + """
          seed: 7
          pools:
          - {name: cpu, count: 6, zones: [a, b], racks: r1..r3}
          workloads:
          - {name: web, replicas: 12, starts: 5s..20s, stops: 1s..10s}
          - {name: agent, kind: DaemonSet, tolerations: ["*"]}
          budgets:
          - {workload: web, minAvailable: 11}
          """;

  @TempDir private Path folder;

  @Test
  void aDrainIsToldWithItsTimelineItsNodesAndItsBudgets() {
    CommandOutcome outcome = run(FLEET, "--drain", "rack=r1", "--ignore-daemonsets");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .startsWith("Fleet: 6 nodes, 18 pods in 2 workloads, 1 budget. Seed 7.")
        .contains(
            "Drained: 2 of 2 nodes.",
            "drain of 2 nodes (rack=r1) begins",
            "waits: budget default/web allows no eviction: 11 healthy of 11 needed",
            "NODE    END    TOOK",
            "BUDGET        PODS   NEEDS   LOWEST",
            "default/web   12     11      11       4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --ignore-daemonsets | --ignore-daemonsets applies to --drain and --roll-out only
          --parallel=2 | --parallel applies to --drain and --roll-out only
          --reboot-takes=2m | --reboot-takes applies to --roll-out only
          """)
  void aFlagThatNothingWouldReadIsRefused(String flag, String line) {
    CommandOutcome outcome = run(FLEET, "--fail", "rack=r1", flag);

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("error: " + line);
  }

  @Test
  void namesThatNoObjectCouldHaveAreMistakes() {
    CommandOutcome outcome =
        run(
            HEADER
                + """
                pools:
                - {name: cpu, nodes: [{name: "Bad Name!"}]}
                workloads:
                - {name: Web_1, replicas: 1}
                """,
            "--fail",
            "pool=cpu");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("pools[0].nodes[0].name: \"Bad Name!\" should be")
        .contains("workloads[0].name: \"Web_1\" should be");
  }

  @Test
  void theSameSeedGivesTheSameAnswerToTheByte() {
    String[] question = {"--roll-out", "pool=cpu", "--ignore-daemonsets", "-o", "json"};

    String first = run(FLEET, question).out();

    assertThat(run(FLEET, question).out()).isEqualTo(first);
    assertThat(run(FLEET.replace("seed: 7", "seed: 8"), question).out()).isNotEqualTo(first);
  }

  @Test
  void theSameSeedGivesTheSameAnswerToTheByteHoweverManyDrainsCompeteForABudget() {
    String fleet = FLEET.replace("count: 6", "count: 30").replace("replicas: 12", "replicas: 90");
    String[] question = {"--drain", "rack in (r1,r2)", "--ignore-daemonsets", "-o", "json"};

    String first = run(fleet, question).out();

    assertThat(run(fleet, question).out()).isEqualTo(first);
  }

  @Test
  void programsGetTheWholeAnswer() {
    JsonNode report = json(run(FLEET, "--drain", "rack=r1", "--ignore-daemonsets", "-o", "json"));

    assertThat(report.fieldNames())
        .toIterable()
        .containsExactly(
            "seed",
            "fleet",
            "settled",
            "settledAfterSeconds",
            "countedUntilSeconds",
            "stepsNotReached",
            "timeline",
            "drains",
            "budgets",
            "nodeMinutes",
            "pods",
            "stuck",
            "unfinished");
    assertThat(report.at("/drains/0").fieldNames())
        .toIterable()
        .contains("node", "step", "outcome", "startSeconds", "seconds", "gone", "left");
    assertThat(report.at("/timeline/0/event").asText()).isEqualTo("STEP");
    assertThat(report.at("/budgets/0/evictions").asInt()).isEqualTo(4);
    assertThat(report.at("/pods/evicted").asInt()).isEqualTo(4);
    assertThat(report.at("/nodeMinutes/cordoned").asDouble()).isPositive();
    assertThat(report.path("stuck")).isEmpty();
  }

  @Test
  void aRollOutPutsEveryNodeBackAndNeverExceedsABudget() {
    JsonNode report =
        json(
            run(
                FLEET,
                "--roll-out",
                "pool=cpu",
                "--parallel",
                "2",
                "--ignore-daemonsets",
                "-o",
                "json"));

    assertThat(report.path("drains")).hasSize(6);
    assertThat(report.path("drains"))
        .allSatisfy(drain -> assertThat(drain.path("outcome").asText()).isEqualTo("DONE"));
    JsonNode budget = report.at("/budgets/0");
    assertThat(budget.path("lowestHealthy").asInt())
        .isGreaterThanOrEqualTo(budget.path("needed").asInt());
    assertThat(budget.path("secondsBelowNeeded").asDouble()).isZero();
    List<String> back = new ArrayList<>();
    report
        .path("timeline")
        .forEach(
            entry -> {
              if (entry.path("event").asText().equals("BACK_IN_SERVICE")) {
                entry.path("nodes").forEach(node -> back.add(node.asText()));
              }
            });
    assertThat(back).hasSize(6);
  }

  @Test
  void whatIsStuckHasItsReasonAndExitCodeThree() {
    CommandOutcome refused = run(FLEET, "--drain", "rack=r1");
    CommandOutcome blocked =
        run(
            FLEET.replace("minAvailable: 11", "minAvailable: 12"),
            "--drain",
            "rack=r1",
            "--ignore-daemonsets");

    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.out())
        .contains("refused: no pod is touched", "next: use --ignore-daemonsets to leave them");
    assertThat(blocked.exitCode()).isEqualTo(3);
    assertThat(blocked.out())
        .contains(
            "stuck",
            "Stuck: cpu-1, cpu-2: 4 pods (default/web-",
            "12 healthy of 12 needed, and only 12 exist");
  }

  @Test
  void whoGivesUpLeavesTheTurnToTheNextNode() {
    JsonNode report =
        json(
            run(
                FLEET.replace("minAvailable: 11", "minAvailable: 12"),
                "--drain",
                "rack=r1",
                "--ignore-daemonsets",
                "--parallel",
                "1",
                "--timeout",
                "20m",
                "-o",
                "json"));

    assertThat(report.path("drains"))
        .allSatisfy(
            drain -> {
              assertThat(drain.path("outcome").asText()).isEqualTo("FAILED");
              assertThat(drain.path("seconds").asDouble()).isBetween(1200.0, 1201.0);
            })
        .hasSize(2);
    assertThat(report.at("/drains/1/startSeconds").asDouble()).isGreaterThanOrEqualTo(1200.0);
  }

  @Test
  void podsThatFindNoRoomAreStuck() {
    String full =
        HEADER
            + """
            pools: [{name: cpu, count: 2, capacity: {cpu: 4}}]
            workloads: [{name: web, replicas: 4, requests: {cpu: 2}}]
            """;

    CommandOutcome outcome = run(full, "--drain", "kubernetes.io/hostname=cpu-1");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.out())
        .contains("without room 2 at most, 2 in the end", "Insufficient cpu", "next: add nodes");
  }

  @Test
  void aFailedRackLosesItsPodsToOtherNodes() {
    JsonNode report = json(run(FLEET, "--fail", "rack=r2", "-o", "json"));

    assertThat(report.at("/pods/cutOff").asInt()).isEqualTo(6);
    assertThat(report.at("/pods/started").asInt()).isEqualTo(4);
    assertThat(report.at("/nodeMinutes/down").asDouble()).isPositive();
    assertThat(report.path("timeline"))
        .anySatisfy(entry -> assertThat(entry.path("event").asText()).isEqualTo("NOT_READY"));
    assertThat(report.at("/budgets/0/secondsBelowNeeded").asDouble()).isPositive();
  }

  @Test
  void statefulPodsOnASilentNodeAreStuckUntilItIsBack() {
    String fleet =
        HEADER
            + """
            pools: [{name: cpu, count: 3}]
            workloads: [{name: db, kind: StatefulSet, replicas: 3}]
            scenario:
            - fail: {nodes: cpu-1}
            """;

    CommandOutcome silent = run(fleet);
    CommandOutcome back = run(fleet + "- {at: 15m, recover: {nodes: cpu-1}}\n");

    assertThat(silent.exitCode()).isEqualTo(3);
    assertThat(silent.out())
        .contains("Stuck: cpu-1: 1 pod (default/db-", "a StatefulSet does not replace them");
    assertThat(back.exitCode()).as(back.out()).isZero();
  }

  @Test
  void aPinnedPodComesBackAndIsNamed() {
    String fleet =
        HEADER
            + """
            pools: [{name: cpu, count: 2}]
            workloads: [{name: license, replicas: 1, pinned: true}]
            """;

    CommandOutcome outcome = run(fleet, "--drain", "kubernetes.io/hostname=cpu-1");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.out()).contains("puts a replacement on this very node");
  }

  @Test
  void aScenarioMayStandInAFileOfItsOwn() throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("scenario.yaml"),
            """
            apiVersion: drydock.dev/v1alpha1
            kind: Scenario
            scenario:
            - at: 2m
              drain: {first: 1, ignoreDaemonSets: true}
            """);

    CommandOutcome outcome = run(FLEET, "--scenario", scenario.toString());

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("2:00   -", "drain of 1 node (the first 1 of all nodes)");
  }

  @Test
  void whatIsToldOfANodeIsInTheOrderInWhichItHappened() {
    JsonNode report =
        json(
            run(
                FLEET.replace("stops: 1s..10s", "stops: 20s..60s").replace("11}", "9}"),
                "--drain",
                "pool=cpu,rack in (r1,r2)",
                "--ignore-daemonsets",
                "-o",
                "json"));

    Map<String, Double> drained = new HashMap<>();
    report
        .path("drains")
        .forEach(
            drain ->
                drained.put(
                    drain.path("node").asText(),
                    drain.path("startSeconds").asDouble() + drain.path("seconds").asDouble()));
    assertThat(drained).hasSize(4);
    Set<String> over = new HashSet<>();
    for (JsonNode entry : report.path("timeline")) {
      String event = entry.path("event").asText();
      for (JsonNode name : entry.path("nodes")) {
        assertThat(over).as("%s", entry).doesNotContain(name.asText());
        if (event.equals("DRAINED")) {
          over.add(name.asText());
        } else {
          assertThat(entry.path("atSeconds").asDouble())
              .isLessThan(drained.getOrDefault(name.asText(), 0.0));
        }
      }
    }
    assertThat(over).hasSize(4);
    assertThat(report.path("timeline"))
        .anySatisfy(entry -> assertThat(entry.path("event").asText()).isEqualTo("GOES_ON"));
  }

  @Test
  void nothingIsToldOfLaterThanWhenNothingMoreHappened() {
    JsonNode report =
        json(
            run(
                FLEET.replace("stops: 1s..10s", "stops: never").replace("11}", "1}"),
                "--drain",
                "rack=r1",
                "--ignore-daemonsets",
                "-o",
                "json"));

    assertThat(report.path("timeline"))
        .allSatisfy(
            entry ->
                assertThat(entry.path("lastAtSeconds").asDouble())
                    .isLessThanOrEqualTo(report.path("settledAfterSeconds").asDouble()))
        .anySatisfy(entry -> assertThat(entry.path("message").asText()).contains("still exists"));
  }

  @Test
  void theBudgetThatBlocksIsShownAndWideShowsAllBudgetsAndNodes() {
    String fleet =
        FLEET
            .replace("minAvailable: 11}", "maxUnavailable: 0}\n- {workload: idle, minAvailable: 1}")
            .replace(
                "workloads:\n", "workloads:\n- {name: idle, replicas: 2, placed: {cpu-6: 2}}\n");

    CommandOutcome usual = run(fleet, "--drain", "rack in (r1,r2)", "--ignore-daemonsets");
    CommandOutcome wide =
        run(fleet, "--drain", "rack in (r1,r2)", "--ignore-daemonsets", "-o", "wide");

    assertThat(usual.out())
        .containsPattern("(?m)^default/web +12 +12 +12 +0 ")
        .doesNotContain("default/idle")
        .contains(" and 3 more");
    assertThat(wide.out())
        .containsPattern("(?m)^default/web +12 +12 +12 +0 ")
        .containsPattern("(?m)^default/idle +2 +1 +2 +0 ")
        .containsPattern("0:00 +(cpu-\\d, ){3}cpu-\\d +waits")
        .doesNotContainPattern("and \\d+ more");
  }

  @Test
  void nodesWhoseTurnNeverCameAreCounted() {
    String fleet = FLEET.replace("minAvailable: 11", "maxUnavailable: 0");

    CommandOutcome text = run(fleet, "--roll-out", "pool=cpu", "--ignore-daemonsets");
    JsonNode report =
        json(run(fleet, "--roll-out", "pool=cpu", "--ignore-daemonsets", "-o", "json"));

    assertThat(text.exitCode()).isEqualTo(3);
    assertThat(text.out())
        .contains("Drained: 0 of 6 nodes, 5 not begun.")
        .containsPattern("(?m)^cpu-6 +not begun +- +- +-");
    assertThat(report.path("drains"))
        .extracting(drain -> drain.path("outcome").asText())
        .containsExactly("STUCK", "NOT_BEGUN", "NOT_BEGUN", "NOT_BEGUN", "NOT_BEGUN", "NOT_BEGUN");
  }

  @Test
  void nodesThatStayOutOfServiceAreCountedToTheSameEnd() {
    String fleet = FLEET.replace("minAvailable: 11", "maxUnavailable: 0");

    CommandOutcome open = run(fleet, "--drain", "rack=r1", "--ignore-daemonsets");
    CommandOutcome stuck = run(fleet, "--drain", "rack=r1", "--ignore-daemonsets", "--until", "1h");
    CommandOutcome drained =
        run(FLEET, "--drain", "rack=r1", "--ignore-daemonsets", "--until", "1h");
    CommandOutcome back =
        run(FLEET, "--roll-out", "rack=r1", "--ignore-daemonsets", "--until", "1h");

    assertThat(open.out())
        .containsPattern(
            "Out of service: 22\\.\\d node-minutes .* until 11:\\d\\d, and 2 nodes stay out");
    assertThat(stuck.out())
        .contains("Out of service: 120.0 node-minutes", " until 1:00:00, and 2 nodes stay out.");
    assertThat(drained.out())
        .contains("Out of service: 120.0 node-minutes", " until 1:00:00, and 2 nodes stay out.");
    assertThat(back.out()).doesNotContain("stay out", "stays out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2s", "20s", "grace", "never"})
  void aBudgetCountsThePodsThereShouldBeAndHowLongTooFewWereHealthy(String stops) {
    String fleet =
        HEADER
            + """
            pools: [{name: cpu, count: 4}]
            workloads:
            - {name: web, replicas: 4, starts: 10s, stops: STOPS}
            - {name: db, kind: StatefulSet, replicas: 4, starts: 5s..20s, stops: STOPS}
            budgets: [{workload: web, minAvailable: 4}, {workload: db, minAvailable: 2}]
            """
                .replace("STOPS", stops);
    String three = "kubernetes.io/hostname in (cpu-1,cpu-2,cpu-3)";

    JsonNode report = json(run(fleet, "--drain", three, "--force-after", "3s", "-o", "json"));

    assertThat(report.path("budgets"))
        .hasSize(2)
        .allSatisfy(
            budget -> {
              assertThat(budget.path("pods").asInt()).isEqualTo(4);
              assertThat(budget.path("secondsBelowNeeded").asDouble() > 0)
                  .as("%s", budget)
                  .isEqualTo(budget.path("lowestHealthy").asInt() < budget.path("needed").asInt());
            });
    JsonNode web = report.at("/budgets/1");
    assertThat(web.path("budget").asText()).isEqualTo("default/web");
    assertThat(web.path("lowestHealthy").asInt()).isLessThan(4);
    assertThat(web.path("secondsBelowNeeded").asDouble()).isGreaterThanOrEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"100ms", "1s", "20s"})
  void whoStopsLookingFindsUnfinishedDrainsAndNotStuckOnes(String until) {
    String[] question = {"--drain", "rack=r1", "--ignore-daemonsets", "--until", until};

    CommandOutcome text = run(FLEET, question);
    CommandOutcome json =
        run(
            FLEET,
            Stream.of(question, new String[] {"-o", "json"})
                .flatMap(Stream::of)
                .toArray(String[]::new));

    assertThat(text.exitCode()).as(text.out()).isZero();
    assertThat(text.out())
        .contains("Stopped looking at ", "Drained: 0 of 2 nodes, 2 unfinished.", "unfinished")
        .contains("Unfinished: ")
        .doesNotContain("tuck", "nothing more happened");
    JsonNode report = json(json);
    assertThat(report.path("settled").asBoolean()).isFalse();
    assertThat(report.path("stuck")).isEmpty();
    assertThat(report.path("unfinished")).isNotEmpty();
    assertThat(report.path("drains"))
        .allSatisfy(drain -> assertThat(drain.path("outcome").asText()).isEqualTo("UNFINISHED"));
  }

  @Test
  void whatIsOverOrSettledBeforeTheEndOfLookingIsStuckAllTheSame() {
    CommandOutcome refused = run(FLEET, "--drain", "rack=r1", "--until", "1s");
    CommandOutcome blocked =
        run(
            FLEET.replace("minAvailable: 11", "maxUnavailable: 0"),
            "--drain",
            "rack=r1",
            "--ignore-daemonsets",
            "--until",
            "1h");

    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(blocked.exitCode()).isEqualTo(3);
    assertThat(blocked.out()).contains("nothing more happened", "Stuck: cpu-1, cpu-2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          --parallel -1 --drain rack=r1 | error: --parallel -1: use 1 or more, or 0 for all
          --seed -1 --drain rack=r1     | error: --seed -1: use 0 or more
          --drain rack=r9               | error: --drain rack=r9: no node of the fleet has these labels; there are r1, r2, r3
          --drain cpu-1                 | error: --drain cpu-1: no node of the fleet has these labels; did you mean node=cpu-1?
          --fail cpu-1,cpu-2            | error: --fail cpu-1,cpu-2: no node of the fleet has these labels; did you mean 'node in (cpu-1,cpu-2)'?
          --roll-out cpu                | error: --roll-out cpu: no node of the fleet has these labels; did you mean pool=cpu?
          --drain node-1                | error: --drain node-1: no node of the fleet has these labels; choose nodes by node=NAME, pool=NAME,
          --drain a==b=                 | error: --drain: selector
          --seed x                      | error: invalid value "x" for --seed: use a whole number
          --until soon                  | error: invalid value "soon" for --until: use a time like 90s or 1h30m
          --seed 3                      | error: nothing happens: the file has no scenario;
          """)
  void wrongUsageIsOneLine(String flags, String line) {
    CommandOutcome outcome = run(FLEET, flags.split(" "));

    assertThat(outcome.err()).startsWith(line);
    assertThat(outcome.err().lines()).hasSize(1);
    assertThat(outcome.exitCode()).isEqualTo(2);
  }

  @Test
  void mistakesInTheFileAreLinesWithTheirPaths() {
    CommandOutcome one = run(FLEET.replace("replicas", "replica"), "--drain", "rack=r1");
    CommandOutcome two = run(FLEET.replace("replicas", "replica").replace("racks", "rack"));

    assertThat(one.exitCode()).isEqualTo(2);
    assertThat(one.err().lines()).hasSize(1);
    assertThat(one.err())
        .startsWith("error: ")
        .contains("workloads[0].replica: there is no such field; did you mean \"replicas\"?");
    assertThat(two.exitCode()).isEqualTo(2);
    assertThat(two.err().lines()).hasSize(3);
    assertThat(two.err()).contains("fleet.yaml: 2 mistakes, see above");
  }

  @Test
  void aNodeIsChosenByItsName() {
    CommandOutcome outcome = run(FLEET, "--drain", "node=cpu-2", "--ignore-daemonsets");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("drain of 1 node (node=cpu-2) begins");
  }

  @Test
  void aFlagAddsToTheScenarioOfTheFile() {
    CommandOutcome outcome =
        run(
            FLEET + "scenario: [{at: 5m, fail: {rack: r3}}]\n",
            "--drain",
            "rack=r1",
            "--ignore-daemonsets");

    assertThat(outcome.out()).contains("drain of 2 nodes (rack=r1)", "2 nodes (rack=r3) fall");
  }

  @Test
  void aBudgetThatNeverOpensIsNotToBeWaitedFor() {
    String[] drain = {"--drain", "rack=r1", "--ignore-daemonsets"};

    CommandOutcome closed = run(FLEET.replace("minAvailable: 11", "maxUnavailable: 0"), drain);
    CommandOutcome full = run(FLEET.replace("minAvailable: 11", "minAvailable: 12"), drain);

    assertThat(closed.out())
        .contains(
            "next: edit the budget: as it is, neither time nor replicas help; or delete past it"
                + " with --disable-eviction or --force-after");
    assertThat(full.out())
        .contains("next: add replicas or relax the budget: waiting does not help;");
  }

  @Test
  void allAtOnceMayBeAskedOfARollOut() {
    CommandOutcome all =
        run(FLEET, "--roll-out", "rack=r1", "--parallel", "0", "--ignore-daemonsets");
    CommandOutcome usual = run(FLEET, "--roll-out", "rack=r1", "--ignore-daemonsets");

    assertThat(all.out())
        .contains("roll-out to 2 nodes (rack=r1) begins")
        .doesNotContain("at a time");
    assertThat(usual.out()).contains("begins, 1 at a time");
  }

  @Test
  void whatMatchesNothingIsAWarning() {
    CommandOutcome outcome =
        run(
            FLEET.replace("workload: web,", "name: b, selector: app=wbe,"),
            "--drain",
            "rack=r1",
            "--pod-selector",
            "app=wbe",
            "--ignore-daemonsets");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.err())
        .contains(
            "Warning: 1 budget selects no pod: default/b",
            "Warning: no pod has the labels app=wbe, so none has to leave rack=r1");
  }

  @Test
  void aDashReadsStandardInput() {
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream(FLEET.getBytes(StandardCharsets.UTF_8)));
      CommandOutcome outcome = CommandOutcome.run("simulate", "-", "--fail", "rack=r1");
      System.setIn(new ByteArrayInputStream("a: [".getBytes(StandardCharsets.UTF_8)));
      CommandOutcome wrong = CommandOutcome.run("simulate", "-", "--fail", "rack=r1");

      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      assertThat(outcome.out()).startsWith("Fleet: 6 nodes, 18 pods");
      assertThat(wrong.err()).startsWith("error: standard input: line ");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void itHasHelp() {
    CommandOutcome outcome = CommandOutcome.run("simulate", "--help");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("Usage: drydock simulate", "--help");
    assertThat(CommandOutcome.run("help", "simulate").out()).isEqualTo(outcome.out());
  }

  @Test
  void helpPointsToSamplesAndDocs() {
    assertThat(CommandOutcome.run("simulate", "--help").out())
        .contains("samples/small-fleet.yaml", "docs/simulate.md");
  }

  @Test
  void whoIsWaitedForIsNamedAndJobsThatHaveEndedAreNotEvictions() {
    String fleet =
        HEADER
            + """
            pools: [{name: cpu, count: 2}]
            workloads:
            - {name: train, kind: Job, replicas: 2, runs: 20m..30m, placed: {cpu-1: 2}}
            scenario: [{drain: {nodes: cpu-1, waitForJobs: true}}]
            """;

    JsonNode report = json(run(fleet, "-o", "json"));

    assertThat(report.path("timeline"))
        .extracting(entry -> entry.path("message").asText())
        .anySatisfy(
            message ->
                assertThat(message)
                    .matches(
                        "waits: runs until it ends by itself \\(default/train-\\S+ and 1 more\\)"));
    assertThat(report.at("/drains/0/outcome").asText()).isEqualTo("DONE");
    assertThat(report.at("/drains/0/gone").asInt()).isEqualTo(2);
    assertThat(report.at("/pods/evicted").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Deployment  | its pods are deleted and replaced
          StatefulSet | its pods are deleted; those of StatefulSets are not replaced while it is silent
          Bare        | its pods are deleted; bare pods are not recreated
          """)
  void whatBecomesOfPodsOfASilentNodeDependsOnTheirOwner(String kind, String message) {
    String fleet =
        HEADER
            + """
            pools: [{name: cpu, count: 2}]
            workloads: [{name: web, kind: KIND, placed: {cpu-1: 1}}]
            scenario: [{fail: {nodes: cpu-1}}]
            """
                .replace("KIND", kind);

    assertThat(json(run(fleet, "-o", "json")).path("timeline"))
        .extracting(entry -> entry.path("message").asText())
        .contains(message);
  }

  @Test
  void completionOffersFiles() {
    assertThat(CommandOutcome.run("__complete", "simulate", "").out().lines())
        .containsExactly(":0");
  }

  private static JsonNode json(CommandOutcome outcome) {
    try {
      return new ObjectMapper().readTree(outcome.out());
    } catch (IOException e) {
      throw new UncheckedIOException(outcome.err(), e);
    }
  }

  private CommandOutcome run(String fleet, String... flags) {
    Path file = folder.resolve("fleet.yaml");
    try {
      Files.writeString(file, fleet);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> words = new ArrayList<>(List.of("simulate", file.toString()));
    words.addAll(List.of(flags));
    return CommandOutcome.run(words.toArray(String[]::new));
  }
}
