package dev.drydock.slingshot.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.decide.SidecarInjection.Change;
import dev.drydock.slingshot.decide.SidecarInjection.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SidecarInjectionTest {
  private static final SidecarInjection NATIVE =
      new SidecarInjection(
          new OriginalImages.Choice("handler:1", false), "hpe.com/cxi", Map.of(), true, false);
  private static final SidecarInjection REGULAR =
      new SidecarInjection(
          new OriginalImages.Choice("handler:1", false), "hpe.com/cxi", Map.of(), false, false);

  private static Map<String, Object> pod(String metadata, String resources) {
    return TestDrivers.tree(
        """
        {"metadata": {%s}, "spec": {"containers": [{"name": "app", "resources": {%s}}]}}
        """
            .formatted(metadata, resources));
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | \"limits\": {\"hpe.com/cxi\": 1} | true",
        "`` | \"requests\": {\"hpe.com/cxi-exclusive\": 1} | true",
        "`` | \"limits\": {\"hpe.com/gpu\": 1} | false",
        "`` | \"limits\": {\"cpu\": 1} | false",
        "\"annotations\": {\"slingshot.hpe.com/inject-retry-handler\": \"false\"} | \"limits\": {\"hpe.com/cxi\": 1} | false",
        "\"annotations\": {\"slingshot.hpe.com/inject-retry-handler\": \"no\"} | \"limits\": {\"hpe.com/cxi\": 1} | false",
        "\"annotations\": {\"slingshot.hpe.com/inject-retry-handler\": \"true\"} | `` | true",
        "\"annotations\": {\"slingshot.hpe.com/inject-retry-handler\": \"enabled\"} | `` | true",
        "\"annotations\": {\"slingshot.hpe.com/retry-handler-injected\": \"true\"} | \"limits\": {\"hpe.com/cxi\": 1} | false",
      })
  void podsThatUseADeviceOrAskForItGetOne(String metadata, String resources, boolean injected) {
    assertThat(NATIVE.inject(pod(metadata, resources)) instanceof Outcome.Changed)
        .isEqualTo(injected);
  }

  @Test
  void whyNotIsSaid() {
    assertThat(NATIVE.inject(pod("", ""))).isEqualTo(new Outcome.Unchanged("no injection needed"));
    assertThat(
            NATIVE.inject(
                TestDrivers.tree(
                    "{\"spec\": {\"containers\": [{\"name\": \"cxi-retry-handler\"}]}}")))
        .isEqualTo(new Outcome.Unchanged("already injected"));
  }

  @Test
  void aPodThatAsksWithoutADeviceIsWarnedAbout() {
    Outcome.Changed changed =
        (Outcome.Changed)
            NATIVE.inject(
                pod("\"annotations\": {\"slingshot.hpe.com/inject-retry-handler\": \"true\"}", ""));
    assertThat(changed.warnings())
        .singleElement()
        .asString()
        .contains("serves all devices of the node");
  }

  private static List<Change> changes(SidecarInjection injection, Map<String, Object> pod) {
    return ((Outcome.Changed) injection.inject(pod)).changes();
  }

  private static Change last(SidecarInjection injection, Map<String, Object> pod) {
    return changes(injection, pod).getLast();
  }

  @Test
  void theSidecarRunsTheHandlerItselfWithinItsBounds() {
    Change added = last(REGULAR, pod("", "\"limits\": {\"hpe.com/cxi\": 1}"));
    assertThat(added.path()).containsExactly("spec", "containers", "-");
    assertThat((Map<?, ?>) added.value())
        .hasToString(
            "{name=cxi-retry-handler, image=handler:1, imagePullPolicy=IfNotPresent, command=[/bin/sh, -c, "
                + SidecarInjection.SCRIPT
                + "], env=[{name=POD_UID, valueFrom={fieldRef={fieldPath=metadata.uid}}}],"
                + " resources={requests={cpu=10m, memory=32Mi}, limits={cpu=100m, memory=64Mi}},"
                + " securityContext={privileged=true, runAsUser=0, capabilities={add=[SYS_ADMIN, IPC_LOCK]}},"
                + " volumeMounts=[{name=dev, mountPath=/dev}, {name=run-cxi, mountPath=/run/cxi}]}");
  }

  @Test
  void anImageWithoutAHandlerRunsTheNodes() {
    SidecarInjection ours =
        new SidecarInjection(
            new OriginalImages.Choice("drydock:1", false), "hpe.com/cxi", Map.of(), false, true);
    List<Change> changes = changes(ours, pod("", "\"limits\": {\"hpe.com/cxi\": 1}"));
    assertThat(changes.get(2).value().toString()).contains("{name=node, hostPath={path=/}}");
    assertThat(changes.getLast().value().toString()).contains("{name=node, mountPath=/host}");
    assertThat(SidecarInjection.SCRIPT).contains("chroot /host /usr/bin/cxi_rh --device=");
  }

  @Test
  void aNativeSidecarIsAnInitContainerThatKeepsRunning() {
    Change added = last(NATIVE, pod("", "\"limits\": {\"hpe.com/cxi\": 1}"));
    assertThat(added.path()).containsExactly("spec", "initContainers");
    assertThat(((List<?>) added.value()).getFirst().toString()).contains("restartPolicy=Always");
  }

  @Test
  void theOriginalsImageGetsTheArgumentsThatItKnows() {
    SidecarInjection original =
        new SidecarInjection(
            new OriginalImages.Choice("o:1", true), "hpe.com/cxi", Map.of(), true, false);
    Change added = last(original, pod("", "\"limits\": {\"hpe.com/cxi\": 1}"));
    assertThat(added.value().toString())
        .contains("args=[--mode=single, --cxi-rh-path=/usr/bin/cxi_rh, --device=cxi0]")
        .doesNotContain("restartPolicy");
  }

  @Test
  void resourcesOfTheDriverWin() {
    SidecarInjection other =
        new SidecarInjection(
            new OriginalImages.Choice("h", false),
            "hpe.com/nic",
            Map.of("limits", Map.of("memory", "1Gi")),
            false,
            false);
    assertThat(last(other, pod("", "\"limits\": {\"hpe.com/nic\": 1}")).value().toString())
        .contains("resources={limits={memory=1Gi}}");
  }

  @Test
  void labelsAnnotationsAndVolumesOfThePodStay() {
    Map<String, Object> pod =
        TestDrivers.tree(
            """
            {"metadata": {"labels": {"a": "b"}, "annotations": {"c": "d"}},
             "spec": {"volumes": [{"name": "dev", "emptyDir": {}}, {"name": "run-cxi", "hostPath": {"path": "/run/cxi"}}],
              "containers": [{"name": "app", "resources": {"limits": {"hpe.com/cxi": 1}}}]}}
            """);
    List<Change> changes = changes(REGULAR, pod);
    assertThat(changes)
        .extracting(Change::path)
        .containsExactly(
            List.of("metadata", "annotations", "slingshot.hpe.com/retry-handler-injected"),
            List.of("metadata", "labels", "slingshot.hpe.com/managed-by"),
            List.of("spec", "volumes", "-"),
            List.of("spec", "containers", "-"));
    assertThat(changes.get(2).value())
        .hasToString("{name=cxi-retry-handler-dev, hostPath={path=/dev}}");
    assertThat(changes.get(3).value().toString())
        .contains("{name=cxi-retry-handler-dev, mountPath=/dev}");
  }
}
