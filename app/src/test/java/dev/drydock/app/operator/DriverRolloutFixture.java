package dev.drydock.app.operator;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import dev.drydock.serve.feature.Features;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A CXIDriver on simulated nodes in virtual time, with a whole operator that can be killed. */
final class DriverRolloutFixture implements AutoCloseable {
  static final String NAMESPACE = "slingshot-system";
  static final Resource DRIVERS = Resource.cluster("cxi.hpe.com", "v1", "cxidrivers", "CXIDriver");
  static final Resource CAMPAIGNS =
      Resource.cluster("drydock.dev", "v1alpha1", "maintenancecampaigns", "MaintenanceCampaign");

  private final SimulatedCluster cluster;
  private final TestCluster test;
  private final TestProcess observer;
  final StandInDriverAgents agents;
  private @Nullable TestProcess operator;
  private long writes;

  /** Nodes out of service right now, and the most there ever were. */
  private final Set<String> out = new HashSet<>();

  private int mostOut;

  DriverRolloutFixture(int nodes) {
    cluster =
        SimulatedCluster.stepped(
            SimulatedCluster.Settings.defaults(), Instant.parse("2026-01-01T00:00:00Z"));
    test = TestCluster.simulated(cluster);
    test.define(CrdCatalog.yaml());
    create("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
    cluster.addNodes(
        nodes,
        "node-",
        NodeTemplate.DEFAULT.withLabel("cxi", "yes").withCapacity("hpe.com/cxi", "100"));
    observer = test.process();
    var _ =
        observer
            .kube()
            .watches()
            .of(Watch.Kind.of(Resource.NODES.all(), ApiObject::of), new OutOfService())
            .start();
    agents = new StandInDriverAgents(test.process().kube(), NAMESPACE);
    startOperator();
  }

  private final class OutOfService implements Watch.Listener<ApiObject> {
    @Override
    public void changed(@Nullable ApiObject before, @Nullable ApiObject after) {
      if (before != null) {
        out.remove(before.name());
      }
      if (after != null
          && (after.spec().path("unschedulable").asBoolean(false)
              || !after.conditions().isTrue("Ready"))) {
        out.add(after.name());
      }
      mostOut = Math.max(mostOut, out.size());
    }

    @Override
    public void refreshed() {}
  }

  void forgetMostOut() {
    mostOut = out.size();
  }

  int mostOut() {
    return mostOut;
  }

  void startOperator() {
    TestProcess process = test.process(new Counting());
    Features all = Features.load();
    Operator made =
        new Operator(
            new Operator.Setup(
                test.client(),
                RequestInterceptor.NONE,
                NAMESPACE,
                "operator",
                ConfigReader.defaults(all),
                all),
            process.kube());
    made.parts().forEach(part -> part.start());
    made.lead();
    operator = process;
  }

  private final class Counting implements RequestInterceptor {
    @Override
    public void before(ApiCall call) {
      switch (call.verb()) {
        case CREATE, PATCH, DELETE -> writes++;
        case GET, LIST, WATCH -> {}
      }
    }

    @Override
    public void after(ApiCall call, int code) {}
  }

  long writes() {
    return writes;
  }

  void killOperator() {
    if (operator != null) {
      operator.kill();
    }
  }

  Kube kube() {
    return observer.kube();
  }

  Eventually eventually() {
    return test.eventually().atMost(Duration.ofHours(12));
  }

  void pass(Duration time) {
    test.pass(time);
  }

  Instant now() {
    return test.clock().instant();
  }

  void create(String yaml) {
    try {
      assertThat(cluster.create((ObjectNode) new YAMLMapper().readTree(yaml)).isSuccess())
          .as(yaml)
          .isTrue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A driver that is built, named so that its version is seen. */
  void driver(String name, String version, String more) {
    create(
        """
        apiVersion: cxi.hpe.com/v1
        kind: CXIDriver
        metadata: {name: %s}
        spec:
          version: %s
          source: {type: dkms, dkms: {tag: release/shs-1}}
          nodeSelector: {cxi: 'yes'}
          updateStrategy: {maxUnavailable: 10%%}
          %s
        """
            .formatted(name, version, more));
  }

  void change(String name, Consumer<ObjectNode> spec) {
    var _ = Patch.sameUid(DRIVERS, get(DRIVERS, "", name)).spec(spec).send(kube().http());
  }

  ApiObject get(Resource resource, String namespace, String name) {
    return find(resource, namespace, name).orElseThrow();
  }

  Optional<ApiObject> find(Resource resource, String namespace, String name) {
    return kube().http().find(resource, namespace, name).map(ApiObject::of);
  }

  List<ApiObject> list(Resource resource) {
    return kube().http().readAll(resource.plural(), resource.all(), ApiObject::of);
  }

  JsonNode condition(String driver, String type) {
    return get(DRIVERS, "", driver)
        .conditions()
        .get(type)
        .orElseThrow(() -> new AssertionError("no condition " + type));
  }

  String reason(String driver, String type) {
    return text(condition(driver, type), "reason");
  }

  /** The revision that driver agents are made for now. */
  String wanted() {
    return get(Resource.DAEMON_SETS, NAMESPACE, "cxi-driver-driver-agent")
        .root()
        .path("spec")
        .path("template")
        .path("metadata")
        .path("labels")
        .path(CxiNames.REVISION_LABEL)
        .asText();
  }

  /** Nodes by the revision of their driver that is installed and verified. */
  long at(String revision) {
    return list(Resource.NODES).stream()
        .filter(
            node ->
                StandInDriverAgents.report(node)
                    .map(DriverReport::revision)
                    .filter(revision::equals)
                    .isPresent())
        .count();
  }

  /** For people who look for what is stuck. */
  String described() {
    StringBuilder all = new StringBuilder();
    list(CAMPAIGNS).forEach(each -> all.append(each.name()).append(each.status()).append('\n'));
    list(StandInDriverAgents.MAINTENANCES)
        .forEach(
            each ->
                all.append(text(each.spec(), "nodeObject"))
                    .append(' ')
                    .append(text(each.status(), "maintenanceStatus"))
                    .append(' ')
                    .append(text(each.status(), "waitingFor"))
                    .append(each.annotations())
                    .append('\n'));
    return all.toString();
  }

  long unschedulable() {
    return list(Resource.NODES).stream()
        .filter(node -> node.spec().path("unschedulable").asBoolean(false))
        .count();
  }

  void installed(int nodes) {
    eventually()
        .untilAsserted(
            () ->
                assertThat(
                        list(Resource.NODES).stream()
                            .filter(node -> StandInDriverAgents.report(node).isPresent())
                            .count())
                    .isEqualTo(nodes));
    eventually()
        .untilAsserted(() -> assertThat(reason("cxi-driver", "Available")).isEqualTo("Ready"));
  }

  @Override
  public void close() {
    killOperator();
    agents.close();
    observer.close();
    test.close();
  }
}
