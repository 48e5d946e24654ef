package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.DyingProcess;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Somebody puts the definition of the first controller back while an operator runs: it drops the
 * fields that are ours.
 */
class OriginalDefinitionTest {
  private static final Path ORIGINAL =
      Path.of("src", "test", "resources", "original", "notifymaintenances.yaml");

  private final MaintenanceFixture fixture = MaintenanceFixture.simulated();
  private final List<String> writes = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  private void define() {
    CustomResourceDefinition original =
        fixture
            .client()
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .load(ORIGINAL.toFile())
            .item();
    fixture.client().resource(original).delete();
    fixture.eventually().until(() -> fixture.client().resource(original).get() == null);
    var _ = fixture.client().resource(original).create();
  }

  private RequestInterceptor noting() {
    return new RequestInterceptor() {
      @Override
      public void before(ApiCall call) {
        if (DyingProcess.isWrite(call) && call.path().contains("/notifymaintenances/")) {
          writes.add(call.verb() + " " + call.path());
        }
      }

      @Override
      public void after(ApiCall call, int code) {}
    };
  }

  @Test
  void maintenancesGoOnWithoutWritingForEver() {
    define();
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator(fixture.process(noting()))) {
      fixture.create("m", node, "fw-17");
      fixture
          .eventually()
          .until(
              () ->
                  fixture
                      .maintenance("m")
                      .filter(each -> each.getStatus() != null)
                      .filter(
                          each ->
                              "MaintenanceScheduled".equals(each.getStatus().maintenanceStatus()))
                      .isPresent());
      fixture.pass(Duration.ofMinutes(10));
    }

    assertThat(writes).hasSizeLessThan(10);
  }
}
