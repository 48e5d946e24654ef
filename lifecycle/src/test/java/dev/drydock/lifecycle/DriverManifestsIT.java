package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.lifecycle.claim.Claimer;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The drain driver alone, in a cluster that has nothing of ours but the definitions, installed as
 * the README of the first driver says.
 */
@ClusterTest
class DriverManifestsIT {
  private static final Path DEPLOY = Path.of("..", "deploy");
  private static final String ACCOUNT = "system:serviceaccount:kube-system:drain-driver";

  /** What the role of the first driver allows. */
  private static final List<String> RIGHTS =
      List.of(
          "get lifecycletransitions.lifecycle.k8s.io",
          "list lifecycletransitions.lifecycle.k8s.io",
          "watch lifecycletransitions.lifecycle.k8s.io",
          "create lifecycletransitions.lifecycle.k8s.io",
          "update lifecycletransitions.lifecycle.k8s.io",
          "patch lifecycletransitions.lifecycle.k8s.io",
          "delete lifecycletransitions.lifecycle.k8s.io",
          "get lifecycleevents.lifecycle.k8s.io",
          "list lifecycleevents.lifecycle.k8s.io",
          "watch lifecycleevents.lifecycle.k8s.io",
          "get nodes",
          "list nodes",
          "update nodes",
          "patch nodes",
          "get pods",
          "list pods",
          "create pods/eviction");

  /** The samples of that README, for its node. */
  private static final Path SAMPLES = Path.of("src", "test", "resources", "original");

  private static final String NODE = "worker-1";

  private final List<String> forbidden = new CopyOnWriteArrayList<>();
  private ControlPlane fresh;
  private LifecycleFixture fixture;

  @BeforeEach
  void start() {
    fresh = ControlPlane.start();
    fixture =
        new LifecycleFixture(
            TestCluster.real(fresh), "default", CrdCatalog.yaml(CrdCatalog.COMPATIBLE));
  }

  @AfterEach
  void stop() {
    try (ControlPlane _ = fresh;
        LifecycleFixture own = fixture) {
      assertThat(own).isNotNull();
    }
  }

  @Test
  void theFilesOfTheFirstReadmeApplyToAFreshClusterAndDrain() throws IOException {
    for (String file : List.of("rbac.yaml", "daemonset.yaml")) {
      CommandResult applied = fixture.kubectl("apply", "-f", DEPLOY.resolve(file).toString());
      assertThat(applied.exitCode()).as(applied.toString()).isZero();
      assertThat(applied.standardError()).as(file).isEmpty();
    }
    fixture
        .eventually() // a grant takes a moment to be heard of
        .untilAsserted(() -> assertThat(RIGHTS).allMatch(this::mayAccount));
    fixture.cluster().addNode(NODE);
    fixture.pod("web", NODE);
    fixture.eventually().until(() -> fixture.pods(NODE).size() == 2); // with the DaemonSet's
    try (KubernetesClient client =
            client(
                fixture
                    .kubectl("create", "token", "drain-driver", "-n", "kube-system")
                    .output()
                    .strip());
        Kube kube = new Kube(new KubeHttp(client, noting(), KubeHttp.PAGE_SIZE), TimeSource.REAL);
        LifecycleAgent _ = LifecycleAgent.start(kube, settings(NODE), Claimer.Outcomes.NONE)) {
      fixture
          .eventually()
          .until(
              () ->
                  fixture
                      .kubectl("get", "lifecycletransitions", "-o", "name")
                      .output()
                      .contains("drain.slm.k8s.io-uncordon"));
      apply("drain-worker-1");
      assertThat(fixture.isCordoned(NODE)).isTrue();
      assertThat(fixture.pods(NODE))
          .extracting(pod -> pod.getMetadata().getName())
          .as("that of the DaemonSet")
          .singleElement()
          .asString()
          .startsWith("drain-driver-");
      assertThat(fixture.last(NODE).outcome()).isEqualTo("Succeeded");
      assertThat(condition()).contains("\"reason\":\"drain-complete\"");

      apply("uncordon-worker-1");
      assertThat(fixture.isCordoned(NODE)).isFalse();
      assertThat(condition()).contains("\"reason\":\"maintenance-complete\"");
    }
    assertThat(forbidden).isEmpty();
  }

  /** Unchanged, and waits until the event is gone. */
  private void apply(String sample) {
    CommandResult applied =
        fixture.kubectl("apply", "-f", SAMPLES.resolve(sample + ".yaml").toString());
    assertThat(applied.output())
        .isEqualToIgnoringNewLines("lifecycleevent.lifecycle.k8s.io/%s created".formatted(sample));
    assertThat(applied.standardError()).isEmpty();
    fixture.awaitGone(sample);
  }

  /** By the command of that README. */
  private String condition() {
    return fixture
        .kubectl(
            "get",
            "node",
            NODE,
            "-o",
            "jsonpath={.status.conditions[?(@.type==\"LifecycleTransition\")]}")
        .output();
  }

  private boolean mayAccount(String right) {
    String verb = right.split(" ", -1)[0];
    String[] path = right.split(" ", -1)[1].split("/", -1);
    String[] resource = path[0].split("\\.", 2);
    return fixture
        .cluster()
        .client()
        .authorization()
        .v1()
        .subjectAccessReview()
        .create(
            new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser(ACCOUNT)
                .withNewResourceAttributes()
                .withVerb(verb)
                .withResource(resource[0])
                .withGroup(resource.length > 1 ? resource[1] : "")
                .withSubresource(path.length > 1 ? path[1] : "")
                .endResourceAttributes()
                .endSpec()
                .build())
        .getStatus()
        .getAllowed();
  }

  private RequestInterceptor noting() {
    return new RequestInterceptor() {
      @Override
      public void before(ApiCall call) {}

      @Override
      public void after(ApiCall call, int code) {
        if (code == HttpURLConnection.HTTP_FORBIDDEN) {
          forbidden.add(call.verb() + " " + call.path());
        }
      }
    };
  }

  private KubernetesClient client(String token) {
    Config config =
        new ConfigBuilder(fixture.cluster().config())
            .withClientCertData(null)
            .withClientCertFile(null)
            .withClientKeyData(null)
            .withClientKeyFile(null)
            .withOauthToken(token)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** As the manifest starts it: the andon cord's namespace does not exist. */
  private LifecycleAgentSettings settings(String node) {
    LifecycleAgentSettings here = fixture.settings(node);
    return LifecycleAgentSettings.defaults(
        node, "drydock-system", here.place().dataFolder(), here.place().registrationFolder());
  }
}
