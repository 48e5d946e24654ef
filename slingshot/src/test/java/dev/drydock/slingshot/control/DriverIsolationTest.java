package dev.drydock.slingshot.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.slingshot.decide.OriginalImages;
import dev.drydock.slingshot.resource.CxiResources;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** One object that fails stops no other. */
class DriverIsolationTest {
  private static ApiObject get(KubeHttp http, Resource resource, String name) {
    return ApiObject.of(http.find(resource, "", name).orElseThrow());
  }

  private static void createDriver(KubeHttp http) {
    ObjectNode driver = CxiResources.DRIVERS.manifest("", "driver");
    driver
        .putObject("spec")
        .put("version", "1.0.0")
        .putObject("source")
        .put("type", "preinstalled");
    var _ = http.createOrFind(CxiResources.DRIVERS, driver);
  }

  @Test
  void aNodeThatMayNotBeChangedStopsNoOtherNodeAndIsServedLater() {
    try (TestCluster cluster = TestCluster.simulated()) {
      cluster.define(CrdCatalog.yaml());
      String refused = cluster.addNode("a");
      String good = cluster.addNode("b");
      AtomicBoolean refuses = new AtomicBoolean(true);
      RequestInterceptor refusing =
          new RequestInterceptor() {
            @Override
            public void before(ApiCall call) {
              if (refuses.get()
                  && call.verb() == ApiCall.Verb.PATCH
                  && call.path().equals(Resource.NODES.path("", refused))) {
                throw new ApiFailure(HttpURLConnection.HTTP_FORBIDDEN, "refused by a test");
              }
            }

            @Override
            public void after(ApiCall call, int code) {}
          };
      KubeHttp http = cluster.process().kube().http();
      try (TestProcess process = cluster.process(refusing);
          CXIDriverController controller =
              new CXIDriverController(
                  process.kube(),
                  new CXIDriverController.Settings(
                      "default", new OriginalImages("ours", false), "service", "validator"),
                  Optional::empty)) {
        createDriver(http);
        controller.start();

        cluster
            .eventually()
            .untilAsserted(
                () ->
                    assertThat(get(http, Resource.NODES, good).labels())
                        .containsEntry(CxiNames.DRIVER_LABEL, "driver"));
        cluster
            .eventually()
            .untilAsserted(
                () ->
                    assertThat(get(http, CxiResources.DRIVERS, "driver").conditions().all())
                        .isNotEmpty());
        assertThat(process.kube().health().degraded())
            .anyMatch(line -> line.contains("node " + refused + ": refused by a test"));

        refuses.set(false);

        cluster
            .eventually()
            .untilAsserted(
                () ->
                    assertThat(get(http, Resource.NODES, refused).labels())
                        .containsEntry(CxiNames.DRIVER_LABEL, "driver"));
        cluster.eventually().until(() -> process.kube().health().degraded().isEmpty());
      }
    }
  }
}
