package dev.drydock.serve.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testkit.TestCluster;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tokens of service accounts, as a real API server makes and checks them. */
@ClusterTest
class TokenReviewIT {
  @Test
  void aServiceAccountIsKnownByItsTokenForUs(ControlPlane controlPlane) {
    try (TestCluster cluster = TestCluster.real(controlPlane);
        TestNamespace namespace = controlPlane.createNamespace("tokens")) {
      cluster.kubectl("", "create", "serviceaccount", "-n", namespace.name(), "caller").output();
      String ours = token(cluster, namespace.name(), "--audience=drydock");
      String others = token(cluster, namespace.name(), "--audience=vault");
      TokenReview tokens = new TokenReview(cluster.process().kube(), List.of("drydock"));

      TokenReview.User user = tokens.authenticate(ours).orElseThrow();

      assertThat(user.name())
          .isEqualTo("system:serviceaccount:%s:caller".formatted(namespace.name()));
      assertThat(user.groups()).contains("system:serviceaccounts", "system:authenticated");
      assertThat(user.uid()).isNotEmpty();
      assertThat(user.node()).isEmpty();
      assertThat(tokens.authenticate(others)).isEmpty();
      String node = cluster.addNode("tokens");
      String bound =
          token(
              cluster,
              namespace.name(),
              "--audience=drydock",
              "--bound-object-kind=Node",
              "--bound-object-name=" + node);
      assertThat(tokens.authenticate(bound).flatMap(TokenReview.User::node)).contains(node);
      assertThat(tokens.authenticate("nonsense")).isEmpty();
    }
  }

  private static String token(TestCluster cluster, String namespace, String... flags) {
    String[] command =
        Stream.concat(Stream.of("create", "token", "-n", namespace, "caller"), Stream.of(flags))
            .toArray(String[]::new);
    return cluster.kubectl("", command).output();
  }
}
