package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The rights of agents on a real cluster, as the manifests and the documentation have them. */
final class RealAgents {
  private static final Path DEPLOY = Path.of("..", "deploy");

  private final TestCluster cluster;
  private final List<String> forbidden = new CopyOnWriteArrayList<>();
  private final Map<String, String> tokens = new HashMap<>();

  RealAgents(TestCluster cluster) {
    this.cluster = cluster;
    for (String file :
        List.of("namespace.yaml", "agent-rbac.yaml", "agent-policy.yaml", "edge/rbac.yaml")) {
      var _ = kubectl("apply", "--server-side", "-f", DEPLOY.resolve(file).toString());
    }
    // the API server takes a moment to know new rights
    awaitRight("list", "", "nodes", "");
    awaitRight("create", "events.k8s.io", "events", "default");
    awaitRight("create", "coordination.k8s.io", "leases", "kube-node-lease");
    awaitRight("list", "longhorn.io", "replicas", "");
  }

  /** Waits until agents may do this. */
  void awaitRight(String verb, String group, String resource, String namespace) {
    SubjectAccessReview question =
        new SubjectAccessReviewBuilder()
            .withNewSpec()
            .withUser("system:serviceaccount:drydock-agents:drydock-agent")
            .withNewResourceAttributes()
            .withVerb(verb)
            .withGroup(group)
            .withResource(resource)
            .withNamespace(namespace)
            .endResourceAttributes()
            .endSpec()
            .build();
    cluster
        .eventually()
        .until(
            () ->
                cluster
                    .client()
                    .authorization()
                    .v1()
                    .subjectAccessReview()
                    .create(question)
                    .getStatus()
                    .getAllowed());
  }

  private String kubectl(String... words) {
    CommandResult result = cluster.kubectl("", words);
    assertThat(result.exitCode()).as("%s", result).isZero();
    return result.output();
  }

  /** A machine keeps its token, so that its agent starts without an API server, too. */
  Config rights(String node) {
    String token = tokens.computeIfAbsent(node, this::token);
    return new ConfigBuilder(cluster.config())
        .withClientCertData(null)
        .withClientCertFile(null)
        .withClientKeyData(null)
        .withClientKeyFile(null)
        .withOauthToken(token)
        .build();
  }

  /** One that is bound to the Node. */
  private String token(String node) {
    return kubectl(
            "create",
            "token",
            "drydock-agent",
            "-n",
            "drydock-agents",
            "--bound-object-kind=Node",
            "--bound-object-name=" + node)
        .strip();
  }

  List<String> forbidden() {
    return List.copyOf(forbidden);
  }

  RequestInterceptor noting(RequestInterceptor other) {
    return new RequestInterceptor() {
      @Override
      public void before(ApiCall call) {
        other.before(call);
      }

      @Override
      public void after(ApiCall call, int code) {
        if (code == HttpURLConnection.HTTP_FORBIDDEN) {
          forbidden.add(call.verb() + " " + call.path());
        }
        other.after(call, code);
      }
    };
  }
}
