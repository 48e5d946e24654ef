package dev.drydock.simulate.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.engine.decide.DrainPolicy.DaemonSets;
import dev.drydock.simulate.fleet.ScenarioStep.What;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FleetReaderTest {
  private static final String HEADER = "apiVersion: drydock.dev/v1alpha1\nkind: Fleet\n";
  private static final String POOL = "pools: [{name: p, count: 4, racks: r1..r2}]\n";

  @Test
  void aPoolFillsRackAfterRackAndARackIsInOneZone() {
    Fleet fleet = read("pools:\n- {name: gpu, count: 6, zones: [a, b], racks: r1..r3, gpus: 8}\n");

    Pool pool = fleet.pools().getFirst();
    assertThat(pool.nodes())
        .extracting(Pool.Node::name, Pool.Node::rack, Pool.Node::zone)
        .containsExactly(
            tuple("gpu-1", "r1", "a"),
            tuple("gpu-2", "r1", "a"),
            tuple("gpu-3", "r2", "b"),
            tuple("gpu-4", "r2", "b"),
            tuple("gpu-5", "r3", "a"),
            tuple("gpu-6", "r3", "a"));
    assertThat(pool.capacity()).containsEntry("nvidia.com/gpu", "8").containsEntry("pods", "110");
    assertThat(pool.labelsOf(pool.nodes().getFirst()))
        .containsEntry("topology.kubernetes.io/zone", "a")
        .containsEntry("drydock.dev/rack", "r1")
        .containsEntry("drydock.dev/pool", "gpu")
        .containsEntry("kubernetes.io/hostname", "gpu-1");
  }

  @Test
  void aWorkloadHasWhatIsUsualUnlessItSaysOtherwise() {
    Fleet fleet =
        read(
            POOL
                + """
                workloads:
                - name: web
                - name: db
                  namespace: shop
                  kind: StatefulSet
                  replicas: 3
                  labels: {app: db, tier: data}
                  requests: {cpu: 500m, memory: 2Gi}
                  gpus: 1
                  pools: p
                  nodes: "disk=ssd,!spot"
                  tolerations: [dedicated=db:NoSchedule]
                  starts: 10s..40s
                  stops: grace
                  grace: 2m
                  priority: 100
                  emptyDir: true
                """);

    Workload web = fleet.workloads().get(0);
    assertThat(web.namespace()).isEqualTo("default");
    assertThat(web.kind()).isEqualTo(Workload.Kind.Deployment);
    assertThat(web.replicas()).isEqualTo(1);
    assertThat(web.labels()).isEqualTo(Map.of("app", "web"));
    assertThat(web.times()).isEqualTo(Workload.Times.DEFAULT);
    Workload db = fleet.workloads().get(1);
    assertThat(db.requests())
        .isEqualTo(Map.of("cpu", "500m", "memory", "2Gi", "nvidia.com/gpu", "1"));
    assertThat(db.where().selectors()).containsExactly("disk=ssd,!spot");
    assertThat(db.where().tolerations())
        .extracting(Object::toString)
        .containsExactly("dedicated=db:NoSchedule");
    assertThat(db.times())
        .isEqualTo(new Workload.Times("10s..40s", "grace", "", Duration.ofMinutes(2)));
    assertThat(db.traits()).isEqualTo(new Workload.Traits(100, false, true, 0));
  }

  @Test
  void aBudgetIsForAWorkloadOrASelector() {
    Fleet fleet =
        read(
            POOL
                + """
                workloads: [{name: web}]
                budgets:
                - {workload: web, minAvailable: 90%}
                - {name: all, selector: "", maxUnavailable: 1, alwaysAllowUnhealthy: true}
                """);

    assertThat(fleet.budgets().get(0).name()).isEqualTo("web");
    assertThat(fleet.budgets().get(0).selector()).contains(LabelSelector.matching("app", "web"));
    assertThat(fleet.budgets().get(0).amount()).isEqualTo("90%");
    assertThat(fleet.budgets().get(1).selector()).contains(LabelSelector.everything());
    assertThat(fleet.budgets().get(1).limit()).isEqualTo(Budget.Limit.maxUnavailable);
    assertThat(fleet.budgets().get(1).alwaysAllowUnhealthy()).isTrue();
  }

  @Test
  void stepsHaveTheOptionsOfADrainAndComeInTheOrderOfTime() {
    Fleet fleet =
        read(
            POOL
                + """
                until: 2h
                scenario:
                - at: 10m
                  rollOut: {pool: p, parallel: 2, rebootTakes: 5m, ignoreDaemonSets: true}
                - at: 5m
                  drain:
                    rack: r2
                    force: true
                    deleteEmptyDirData: true
                    gracePeriod: 10s
                    podSelector: app=web
                    forceAfter: 20m
                    deadline: 1h
                    atDeadline: delete
                - fail: {nodes: p-1..p-2}
                """);

    assertThat(fleet.scenario().until()).contains(Duration.ofHours(2));
    assertThat(fleet.scenario().steps())
        .extracting(ScenarioStep::at)
        .containsExactly(Duration.ZERO, Duration.ofMinutes(5), Duration.ofMinutes(10));
    assertThat(fleet.scenario().steps().get(0).nodes().of(fleet)).containsExactly("p-1", "p-2");
    assertThat(fleet.scenario().steps().get(1).nodes().of(fleet)).containsExactly("p-3", "p-4");
    DrainPolicy policy =
        DrainPolicy.builder()
            .force(true)
            .emptyDirDataMayGo(true)
            .gracePeriodSeconds(10)
            .podSelector(LabelSelector.matching("app", "web"))
            .forceAfter(Duration.ofMinutes(20))
            .deadline(Duration.ofHours(1), AtDeadline.DELETE)
            .build();
    assertThat(fleet.scenario().steps().get(1).what()).isEqualTo(new What.Drain(policy, 0));
    DrainPolicy rollOut = DrainPolicy.builder().daemonSets(DaemonSets.IGNORE).build();
    assertThat(fleet.scenario().steps().get(2).what())
        .isEqualTo(new What.RollOut(rollOut, 2, Duration.ofMinutes(5)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          workload: []                                             | workload: there is no such field; did you mean "workloads"?
          workloads: [{name: w, replica: 3}]                       | workloads[0].replica: there is no such field; did you mean "replicas"?
          workloads: [{replicas: 3}]                               | workloads[0].name: is missing
          workloads: [{name: w}, {name: w}]                        | workloads[1].name: "default/w" is the name of two workloads
          workloads: [{name: w, replicas: many}]                   | workloads[0].replicas: should be a whole number from 0 to 1000000
          workloads: [{name: w, kind: Pod}]                        | workloads[0].kind: "Pod" should be one of Deployment, StatefulSet, DaemonSet, Job, Bare
          workloads: [{name: w, starts: soon}]                     | workloads[0].starts: "soon" should be a time like 30s, or a range like 10s..2m
          workloads: [{name: w, starts: 9s..3s}]                   | workloads[0].starts: "9s..3s" should be a time like 30s, or a range like 10s..2m
          workloads: [{name: w, requests: {cpu: lots}}]            | workloads[0].requests.cpu: "lots" should be an amount like 4, 500m or 16Gi
          workloads: [{name: w, pools: [q]}]                       | workloads[0].pools: there is no pool "q"; did you mean "p"?
          workloads: [{name: w, placed: {x: 1}}]                   | workloads[0].placed: there is no node "x"; there are p-1, p-2, p-3, p-4
          workloads: [{name: w, pools: [zzz], copies: 3}]          | workloads[0].pools: there is no pool "zzz"; there is p
          workloads: [{name: w, placed: [p-1]}]                    | workloads[0].placed: should be an object with fields
          workloads: [{name: w, placed: {p-7: 1, p-8: 1}, replicas: 2}] | workloads[0].placed: there is no node "p-7" (and 1 more); there are p-1, p-2, p-3, p-4
          workloads: [{name: w, replica: 3, placed: {p-1: 3}}]     | workloads[0].replica: there is no such field; did you mean "replicas"?
          workloads: [{nmae: w}]                                   | workloads[0].nmae: there is no such field; did you mean "name"?
          workloads: [{name: w, copies: 5}, {name: w, copies: 5}]  | workloads[1].name: "default-1/w" is the name of two workloads
          workloads: [w]                                           | workloads[0]: should be an object with fields
          workloads: [{name: w, kind: DaemonSet, replicas: 2}]     | workloads[0].replicas: a DaemonSet has one pod on each of its nodes
          workloads: {name: w}                                     | workloads: should be a list
          budgets: [{name: b, minAvailable: half}]                 | budgets[0].minAvailable: "half" should be a number, or a percentage like 90%
          budgets: [{name: b}]                                     | budgets[0].minAvailable: give either minAvailable or maxUnavailable
          budgets: [{workload: w, minAvailable: 1}]                | budgets[0].workload: there is no workload default/w
          budgets: [{name: b, minAvailabel: 1}]                    | budgets[0].minAvailabel: there is no such field; did you mean "minAvailable"?
          budgets: [{name: b, minAvailable: [1]}]                  | budgets[0].minAvailable: should be one value
          scenario: [{at: 5m}]                                     | scenario[0]: give one of drain, fail, recover, reboot, rollOut, uncordon
          scenario: [{drain: {}}]                                  | scenario[0].drain: which nodes? Give nodes, selector, pool, zone, rack or first
          scenario: [{drain: {rack: r9}}]                          | scenario[0].drain: no node is meant by rack=r9; there are r1, r2
          scenario: [{drain: {pool: pp}}]                          | scenario[0].drain: no node is meant by pool=pp; did you mean "p"?
          scenario: [{drain: {selector: p-1}}]                     | scenario[0].drain: no node is meant by p-1; did you mean node=p-1?
          scenario: [{drain: {nodes: x}}]                          | scenario[0].drain.nodes: there is no node "x"; there are p-1, p-2, p-3, p-4
          scenario: [{drain: {nodes: p-3..p-9}}]                   | scenario[0].drain.nodes: there is no node "p-5" (and 4 more); there are p-1, p-2, p-3, p-4
          scenario: [{drain: {first: 0}}]                          | scenario[0].drain.first: should be a whole number from 1 to 1000000
          scenario: [{drain: r1}]                                  | scenario[0].drain: should be an object with fields
          scenario: [{drian: {rack: r1}}]                          | scenario[0].drian: there is no such field; did you mean "drain"?
          scenario: [{drain: {rak: r1}}]                           | scenario[0].drain.rak: there is no such field; did you mean "rack"?
          scenario: [{drain: {rack: r1}, fail: {rack: r2}}]        | scenario[0]: drain and fail are more than one thing: make each a step of its own
          scenario: [{drain: {rack: r1, ignoreDaemonsets: true}}]  | scenario[0].drain.ignoreDaemonsets: there is no such field; did you mean "ignoreDaemonSets"?
          scenario: [{drain: {rack: r1, atDeadline: delete}}]      | scenario[0].drain.atDeadline: needs deadline
          scenario: [{fail: {rack: r1, parallel: 2}}]              | scenario[0].fail.parallel: there is no such field; use one of nodes, selector, pool, zone, rack, first
          scenario: [{at: soon, fail: {rack: r1}}]                 | scenario[0].at: "soon" should be a time like 90s or 1h30m
          """)
  void aMistakeIsOneLineWithItsPath(String text, String line) {
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> read(POOL + text + "\n"))
        .satisfies(mistakes -> assertThat(mistakes.lines()).containsExactly(line));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          {name: p, count: 0}                      | pools[0].count: should be a whole number from 1 to 1000000
          {name: p, cuont: 3}                      | pools[0].cuont: there is no such field; did you mean "count"?
          {name: p, count: 2}, {name: p, count: 9} | pools[1].name: "p" is the name of two pools
          {name: p, nodes: [{name: x}, {name: y}, {name: x}, {name: y}]} | pools[0]: "x" and 1 more: a name of two nodes
          {name: p}                                | pools[0].count: give either count or nodes
          {name: p, count: 2, nodes: [{name: x}]}  | pools[0].count: give either count or nodes
          {name: p, count: 2, taints: [spot]}      | pools[0].taints: "spot" should be like key=value:NoSchedule or key:NoExecute
          {name: p, count: 2, racks: r5..r1}       | pools[0].racks: "r5..r1" should count upwards, 100000 at most
          {name: p, count: 2, racks: a..c}         | pools[0].racks: "a..c" should be a name, or names like r1..r40
          """)
  void mistakesOfPoolsAreTold(String pool, String line) {
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> read("pools: [" + pool + "]\n"))
        .satisfies(mistakes -> assertThat(mistakes.lines()).containsExactly(line));
  }

  @Test
  void allMistakesAreToldAtOnce() {
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> read(POOL + "seed: -1\nworkloads: [{name: w, kindd: Job, grace: x}]\n"))
        .satisfies(mistakes -> assertThat(mistakes.lines()).hasSize(3));
  }

  @Test
  void aFileOfAnotherKindOrNoneIsTold() {
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> FleetReader.read("f", "apiVersion: v1\nkind: Pod\n"))
        .withMessageContaining("apiVersion: \"v1\" should be drydock.dev/v1alpha1");
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> FleetReader.read("f", ""))
        .withMessage(
            "f: is empty; a fleet file begins with apiVersion: drydock.dev/v1alpha1 and kind: Fleet");
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> FleetReader.read("f", "pools: []\n"))
        .withMessageStartingWith("f: apiVersion and kind are missing; a fleet file begins with");
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> FleetReader.read("f", "apiversion: x\nkind: Fleet\n"))
        .withMessage("f: apiversion: there is no such field; did you mean \"apiVersion\"?");
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> FleetReader.read(Path.of("no-such-fleet.yaml")))
        .withMessage("no-such-fleet.yaml: no such file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a: [1\\nb: 2                | line 2, column 2: expected ',' or ']', but got :
          a: b: c                      | line 1, column 5: expected no ':' here; is the indentation right
          a:\\n  - b\\n c: d          | line 3, column 2: expected a line that is indented like those before it, but found
          a:\\n\\t- b                 | line 2, column 1: found character '\\t(TAB)' that cannot start any token
          a: 1\\na: 2                 | line 2, column 2: Duplicate field 'a'
          `{"a": 1,}`                  | line 1, column 9: Unexpected character ('}' (code 125)): was expecting double-quote to start field name
          """)
  void aSyntaxErrorSaysWhereItIsAndWhatWasExpected(String text, String line) {
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> FleetReader.read("f", text.replace("\\n", "\n").replace("\\t", "\t")))
        .satisfies(
            mistakes ->
                assertThat(mistakes.lines())
                    .singleElement()
                    .satisfies(told -> assertThat(told).startsWith(line)));
  }

  @Test
  void whatFollowsFromAnotherMistakeIsNotTold() {
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(
            () ->
                read(
                    """
                    pools: [{name: p, cuont: 4}]
                    workloads: [{name: w, pools: [p], placed: {p-1: 1}}]
                    scenario: [{drain: {pool: p}}, {fail: {nodes: p-1}}]
                    """))
        .satisfies(mistakes -> assertThat(mistakes.lines()).hasSize(1));
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(
            () ->
                read(POOL + "workloads: [{nmae: w}]\nbudgets: [{workload: w, minAvailable: 1}]\n"))
        .satisfies(mistakes -> assertThat(mistakes.lines()).hasSize(1));
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> read("pool: [{name: p, count: 4}]\nscenario: [{drain: {pool: p}}]\n"))
        .satisfies(
            mistakes ->
                assertThat(mistakes.lines())
                    .containsExactly("pool: there is no such field; did you mean \"pools\"?"));
  }

  @Test
  void aBudgetIsToldWhereItsWorkloadIs() {
    String start = POOL + "workloads: [{name: web, namespace: shop}]\nbudgets:\n";

    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> read(start + "- {workload: web, minAvailable: 1}\n"))
        .withMessageEndingWith("there is no workload default/web; did you mean namespace: shop?");
    assertThatExceptionOfType(FleetMistakes.class)
        .isThrownBy(() -> read(start + "- {workload: wbe, namespace: shop, minAvailable: 1}\n"))
        .withMessageEndingWith("there is no workload shop/wbe; did you mean \"shop/web\"?");
  }

  @Test
  void selectorsThatMatchNoPodAreDoubtful() {
    String sound =
        POOL
            + """
            workloads: [{name: web}, {name: db, kind: StatefulSet, replicas: 2}]
            budgets:
            - {workload: web, minAvailable: 1}
            - {name: first, selector: apps.kubernetes.io/pod-index=1, minAvailable: 1}
            scenario: [{drain: {rack: r1, podSelector: app=web}}]
            """;

    assertThat(FleetWarnings.of(read(sound))).isEmpty();
    assertThat(FleetWarnings.of(read(sound.replace("pod-index=1", "pod-index=2"))))
        .containsExactly("1 budget selects no pod: default/first");
    assertThat(FleetWarnings.of(read(sound.replace("app=web", "app=wbe"))))
        .containsExactly("no pod has the labels app=wbe, so none has to leave rack=r1");
  }

  @Test
  void jsonIsReadToo() {
    Fleet fleet =
        FleetReader.read(
            "f",
            """
            {"apiVersion": "drydock.dev/v1alpha1", "kind": "Fleet",
             "pools": [{"name": "p", "count": 2}]}
            """);

    assertThat(fleet.nodeCount()).isEqualTo(2);
  }

  @Test
  void whatIsWrittenIsReadAsTheSame() {
    Fleet fleet =
        read(
            """
            seed: 7
            pools:
            - name: p
              labels: {"true": "no", a: "1"}
              taints: ["k=v:NoSchedule"]
              nodes: [{name: n1, zone: a, rack: r1, labels: {x: "y"}}, {name: n2, cordoned: true}]
            workloads:
            - {name: w, kind: StatefulSet, replicas: 3, placed: {n1: 2}, stops: never, runs: 1h..2h}
            - {name: d, kind: DaemonSet, tolerations: ["*", "k:NoSchedule"], grace: 0s}
            - {name: b, kind: Bare, nodes: ["x in (y,z)", "!q"], priority: -3, unready: 1}
            budgets: [{name: b, selector: "app in (d,w)", maxUnavailable: 10%}]
            """);

    assertThat(FleetReader.read("yaml", FleetWriter.yaml(fleet))).isEqualTo(fleet);
    assertThat(FleetReader.read("json", FleetWriter.json(fleet))).isEqualTo(fleet);
    assertThat(FleetWriter.yaml(fleet).lines())
        .contains("  - {name: n1, zone: a, rack: r1, labels: {x: \"y\"}}");
  }

  private static Fleet read(String text) {
    return FleetReader.read("fleet.yaml", HEADER + text);
  }
}
