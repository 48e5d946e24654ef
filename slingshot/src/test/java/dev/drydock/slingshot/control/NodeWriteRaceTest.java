package dev.drydock.slingshot.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.slingshot.decide.TestDrivers;
import dev.drydock.slingshot.resource.CxiResources;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Nodes have many writers. */
class NodeWriteRaceTest {
  @Test
  void whatOthersWriteToANodeAtTheSameMomentStays() {
    try (TestCluster cluster = TestCluster.simulated()) {
      cluster.define(CrdCatalog.yaml());
      String node = cluster.addNode("n");
      KubeHttp others = cluster.process().kube().http();
      AtomicBoolean raced = new AtomicBoolean();
      RequestInterceptor racing =
          new RequestInterceptor() {
            @Override
            public void before(ApiCall call) {
              boolean ours =
                  call.verb() == ApiCall.Verb.PATCH
                      && call.path().equals(Resource.NODES.path("", node));
              if (ours && raced.compareAndSet(false, true)) {
                var _ =
                    Patch.sameUid(Resource.NODES, get(others, node))
                        .label("role", "infra")
                        .annotation("note", "kept")
                        .spec(spec -> spec.put("unschedulable", true))
                        .send(others);
              }
            }

            @Override
            public void after(ApiCall call, int code) {}
          };
      ObjectNode driver = CxiResources.DRIVERS.manifest("", "driver");
      driver
          .putObject("spec")
          .put("version", "1.0.0")
          .putObject("source")
          .put("type", "preinstalled");
      var _ = others.createOrFind(CxiResources.DRIVERS, driver);
      try (TestProcess process = cluster.process(racing);
          CXIDriverController controller =
              new CXIDriverController(
                  process.kube(),
                  new CXIDriverController.Settings(
                      "default", TestDrivers.IMAGES, "service", "validator"),
                  Optional::empty)) {
        controller.start();

        cluster
            .eventually()
            .untilAsserted(
                () ->
                    assertThat(get(others, node).labels())
                        .containsEntry(CxiNames.DRIVER_LABEL, "driver"));
        assertThat(raced).isTrue();
        ApiObject after = get(others, node);
        assertThat(after.labels()).containsEntry("role", "infra");
        assertThat(after.annotations()).containsEntry("note", "kept");
        assertThat(after.spec().path("unschedulable").asBoolean()).isTrue();
      }
    }
  }

  private static ApiObject get(KubeHttp http, String node) {
    return ApiObject.of(http.find(Resource.NODES, "", node).orElseThrow());
  }
}
