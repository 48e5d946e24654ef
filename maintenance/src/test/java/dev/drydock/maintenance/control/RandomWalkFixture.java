package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.drain.DrainFeature;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.Election;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.VirtualTime;
import dev.drydock.maintenance.campaign.CampaignController;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.fault.FaultPlan;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.ShiftedTime;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A simulated cluster with classes, nodes and work on them, and processes that serve it. */
final class RandomWalkFixture implements AutoCloseable {
  static final String OPERATOR = "operator";
  static final String LEASE = "drydock-operator";

  /** As short beside the walk's steps as the real times are beside real work. */
  private static final Duration LEASE_FREE = Duration.ofMillis(150);

  private static final Duration RENEW_EVERY = Duration.ofMillis(20);
  static final List<String> NODES = List.of("a-1", "b-1", "c-1");
  static final List<String> CLASSES =
      List.of(
          "all-well",
          "all-well",
          "all-well",
          "unproved",
          "outside",
          "outside",
          "fails-proof",
          "fails-work",
          "missing");

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration SLA = Duration.ofSeconds(60);
  private static final ObjectMapper YAML = new YAMLMapper();

  final SimulatedCluster cluster;
  final FaultPlan plan;
  final RandomWalkObserver witness;
  final Set<String> notices = ConcurrentHashMap.newKeySet();

  /** What happens just before a node leaves. */
  volatile Runnable onLeave = () -> {};

  volatile Consumer<ApiCall> onCall = _ -> {};

  /** Why nothing new may begin, if so. */
  volatile Optional<String> stopped = Optional.empty();

  private final TestCluster testCluster;

  /** How far the operator's clock is ahead, which faults change. */
  private final AtomicReference<Duration> ahead;

  /** Whether operators are elected by a Lease and let nodes leave by the ledger of departures. */
  private final boolean complete;

  private int processes;

  /** What an operator runs while it leads. */
  private record Term(
      DrainEngine engine, MaintenanceController served, Optional<CampaignController> campaigns)
      implements AutoCloseable {
    @Override
    public void close() {
      campaigns.ifPresent(CampaignController::close);
      served.close();
      engine.close();
    }
  }

  /** All that one process of the operator is. */
  static final class Operator implements AutoCloseable {
    private final DyingProcess life;
    private final TestProcess process;
    private final Supplier<Term> begin;
    private @Nullable Term term;

    private Operator(DyingProcess life, TestProcess process, Supplier<Term> begin) {
      this.life = life;
      this.process = process;
      this.begin = begin;
    }

    DyingProcess life() {
      return life;
    }

    private synchronized void lead() {
      term = begin.get();
    }

    private synchronized void follow() {
      if (term != null) {
        term.close();
        term = null;
      }
    }

    private void elect(String identity) {
      Election mine =
          new Election(
              process.kube(),
              new Election.LeaseSettings("default", LEASE, identity, LEASE_FREE, RENEW_EVERY),
              this::lead,
              this::follow);
      mine.start();
    }

    /** As the cord's watch would have it. */
    synchronized void resync() {
      if (term != null) {
        term.served.resync("");
        term.campaigns.ifPresent(CampaignController::resync);
      }
    }

    /** Without a word: the next one has to wait for the Lease. */
    @Override
    public void close() {
      follow();
      process.kill();
    }
  }

  RandomWalkFixture(long seed, FaultPlan plan) {
    this(seed, plan, new AtomicReference<>(Duration.ZERO), false);
  }

  RandomWalkFixture(long seed, FaultPlan given, AtomicReference<Duration> ahead, boolean complete) {
    this.ahead = ahead;
    this.complete = complete;
    plan = given.inTime(this::time);
    witness = new RandomWalkObserver(plan);
    cluster =
        SimulatedCluster.stepped(
            SimulatedCluster.Settings.defaults().withSeed(seed).withHook(witness), START);
    testCluster = TestCluster.simulated(cluster);
    cluster.listen(witness::see);
    testCluster.define(CrdCatalog.yaml());
    eventually().until(() -> cluster.list("MaintenanceClass", "", "").isSuccess());
    eventually().until(() -> cluster.list("NotifyMaintenance", "default", "").isSuccess());
    eventually().until(() -> cluster.list("DrainRequest", "default", "").isSuccess());
    String good = job("\"sim.drydock.dev/complete-after\": 20ms", "");
    String bad = job("a: b", "activeDeadlineSeconds: 1,");
    maintenanceClass("all-well", good, good);
    maintenanceClass("fails-proof", good, bad);
    maintenanceClass("fails-work", bad, good);
    maintenanceClass("outside", "outside: {}", "outside: {}");
    maintenanceClass("unproved", good, "none: {}");
    NODES.forEach(this::addNode);
    var _ = cluster.addNodes(1, "spare-", NodeTemplate.DEFAULT);
    work();
  }

  private VirtualTime time() {
    return (VirtualTime) cluster.time();
  }

  Eventually eventually() {
    return testCluster.eventually();
  }

  static String job(String annotation, String spec) {
    return "job: {template: {spec: {%s template: {metadata: {annotations: {%s}}, spec: %s}}}}"
        .formatted(spec, annotation, "{containers: [{name: main, image: none}]}");
  }

  private void maintenanceClass(String name, String maintenance, String validation) {
    maintenanceClass(name, "builtin: {policy: {force: true}}", maintenance, validation);
  }

  void maintenanceClass(String name, String drain, String maintenance, String validation) {
    create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: %s}
        spec:
          drain: {%s}
          maintenance: {%s}
          validation: {%s}
        """
            .formatted(name, drain, maintenance, validation));
  }

  /** With a label and a taint of others. */
  void addNode(String name) {
    String prefix = name.substring(0, name.length() - 1);
    var _ = cluster.addNodes(1, prefix, NodeTemplate.DEFAULT.withLabel("other", "label"));
    patch("Node", name, "{spec: {taints: [{key: other, effect: PreferNoSchedule}]}}");
  }

  /** A guarded set of pods, and one on each node that nothing brings back. */
  private void work() {
    create(
        """
        apiVersion: apps/v1
        kind: ReplicaSet
        metadata: {name: web, namespace: default}
        spec:
          replicas: 4
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec: {terminationGracePeriodSeconds: 1, containers: [{name: main, image: none}]}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: web, namespace: default}
        spec: {minAvailable: 3, selector: {matchLabels: {app: web}}}
        """);
    for (String node : NODES) {
      create(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: free-%s, namespace: default}
          spec: {nodeName: %s, terminationGracePeriodSeconds: 1, containers: [{name: main, image: none}]}
          """
              .formatted(node, node));
    }
  }

  static ObjectNode yaml(String text) {
    try {
      return (ObjectNode) YAML.readTree(text);
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }

  void create(String documents) {
    try (MappingIterator<ObjectNode> all = YAML.readerFor(ObjectNode.class).readValues(documents)) {
      while (all.hasNextValue()) {
        var answer = cluster.create(all.nextValue());
        assertThat(answer.code()).as(answer.body().toString()).isEqualTo(201);
      }
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }

  /** With its name for an ID. */
  void maintenance(String name, String node, Optional<String> maintenanceClass) {
    create(
        """
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata: {name: %s, namespace: default}
        spec: {nodeObject: %s, maintenanceID: %s, maintenanceType: planned%s}
        """
            .formatted(
                name,
                node,
                name,
                maintenanceClass.map(given -> ", maintenanceClass: " + given).orElse("")));
  }

  /** As a user, who may find that it is gone, or refused. */
  void patch(String kind, String name, String patch) {
    String namespace = kind.equals("Node") ? "" : "default";
    var _ = cluster.patch(kind, namespace, name, "", yaml(patch));
  }

  static DyingProcess immortal() {
    return DyingProcess.atWrite(Integer.MAX_VALUE, true);
  }

  Operator process() {
    return process(immortal());
  }

  Operator process(DyingProcess life) {
    RequestInterceptor look = new LastLook(life, witness);
    RequestInterceptor hook =
        new RequestInterceptor() {
          @Override
          public void before(ApiCall call) {
            onCall.accept(call);
            look.before(call);
          }

          @Override
          public void after(ApiCall call, int code) {
            look.after(call, code);
          }
        };
    Config user = testCluster.config();
    user.setImpersonateUsername(OPERATOR);
    TestProcess process =
        testCluster.process(
            ProcessOptions.of(hook)
                .withRights(user)
                .withTime(time -> new ShiftedTime(time, ahead)));
    Operator operator = new Operator(life, process, () -> term(process.kube()));
    if (complete) {
      processes++;
      operator.elect(OPERATOR + "-" + processes);
    } else {
      operator.lead();
    }
    return operator;
  }

  private Term term(Kube kube) {
    DrainEngine engine = new DrainEngine(kube, DrainEngine.Options.DEFAULT);
    DrainFeature.serve(
        engine,
        ServedRequests.NAMED,
        List.of(DrainRequestController.HOLD_OWNER, MaintenanceController.HOLD_OWNER));
    Optional<CampaignController> campaigns =
        complete
            ? Optional.of(
                new CampaignController(
                    kube, new CampaignController.Settings("default", List.of()), () -> stopped))
            : Optional.empty();
    DeparturePermission permission =
        new DeparturePermission() {
          @Override
          public Optional<String> leave(NotifyMaintenanceObject maintenance) {
            onLeave.run();
            return campaigns.flatMap(ledger -> ledger.leave(maintenance));
          }

          @Override
          public boolean confirms(NotifyMaintenanceObject maintenance) {
            return campaigns.map(ledger -> ledger.confirms(maintenance)).orElse(true);
          }

          @Override
          public Optional<String> stopped() {
            return stopped;
          }
        };
    NoticeSink kept =
        (maintenance, event, _) ->
            notices.add(maintenance.facts().identity().name() + " " + event.word());
    MaintenanceController served =
        new MaintenanceController(
            kube,
            new MaintenanceInput.Rules(SLA, false),
            new MaintenanceController.Dependencies(
                engine, permission, kept, MaintenanceController.Watcher.NONE));
    campaigns.ifPresent(ledger -> ledger.serve(served));
    served.start();
    return new Term(engine, served, campaigns);
  }

  /** Lets the others get on. */
  void pause(int millis) {
    testCluster.pass(Duration.ofMillis(millis));
  }

  @Override
  public void close() {
    testCluster.close();
  }

  /**
   * Every Job is begun by one who has just seen, past all caches, that the node is out for it. The
   * cluster may change between that look and the Job; longer than that nobody may rely on it.
   */
  private static final class LastLook implements RequestInterceptor {
    private static final String NODES = "/api/v1/nodes/";

    private final DyingProcess life;
    private final RandomWalkObserver witness;

    /** What was so when a look began; calls overlap where one is delayed. */
    private final IdentityHashMap<ApiCall, Map<String, Boolean>> begun = new IdentityHashMap<>();

    /** The last call, if it was a look: the same thread makes all, one after the other. */
    private Optional<Look> last = Optional.empty();

    /** What was seen, at the earliest and at the latest. */
    private record Look(String node, Map<String, Boolean> before, Map<String, Boolean> after) {}

    LastLook(DyingProcess life, RandomWalkObserver witness) {
      this.life = life;
      this.witness = witness;
    }

    @Override
    public void before(ApiCall call) {
      life.before(call);
      if (isLook(call)) {
        begun.put(call, takenOut(node(call)));
      }
      if (call.verb() == Verb.CREATE && call.path().endsWith("/jobs")) {
        check(Objects.requireNonNull(call.body()));
      }
    }

    @Override
    public void after(ApiCall call, int code) {
      last =
          Optional.ofNullable(begun.remove(call))
              .map(before -> new Look(node(call), before, takenOut(node(call))));
      life.after(call, code);
    }

    private static boolean isLook(ApiCall call) {
      return call.verb() == Verb.GET && call.path().startsWith(NODES);
    }

    private static String node(ApiCall call) {
      return call.path().substring(NODES.length());
    }

    private Map<String, Boolean> takenOut(String node) {
      Map<String, Boolean> all = new ConcurrentHashMap<>();
      witness
          .maintenances()
          .forEach(each -> all.put(each.uid(), witness.isTakenOut(node, each.uid())));
      return all;
    }

    private void check(String body) {
      JsonNode metadata;
      try {
        metadata = Json.read(body).path("metadata");
      } catch (IOException notOurs) {
        throw new UncheckedIOException(notOurs);
      }
      String node = metadata.path("annotations").path(JobObject.NODE).asText();
      String maintenance = metadata.path("labels").path(JobObject.MAINTENANCE).asText();
      boolean seen =
          last.filter(look -> look.node().equals(node))
              .filter(
                  look ->
                      look.before().getOrDefault(maintenance, false)
                          || look.after().getOrDefault(maintenance, false))
              .isPresent();
      if (!seen) {
        witness.wrong.add(
            "I3: Job %s was begun without a last look at node %s"
                .formatted(metadata.path("name").asText(), node));
      }
    }
  }
}
