package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a user with a kubelet's credentials may do to pods. Uses impersonation. */
public abstract class NodeIdentityContract extends ApiContract {

  @Test
  void aNodeEvictsItsOwnPods() {
    Node node = createNode();
    Pod pod = runPod("web", "web", node);

    assertThat(evictAs(node, pod).code()).isEqualTo(201);
  }

  @Test
  void aNodeDoesNotEvictPodsOfOthers() {
    Node other = createNode();
    Pod pod = runPod("web", "web", createNode());

    Answer answer = evictAs(other, pod);

    assertThat(answer.code()).isEqualTo(403);
    assertThat(answer.status().getReason()).isEqualTo("Forbidden");
    assertThat(answer.status().getMessage())
        .endsWith(
            "node %s can only evict pods with spec.nodeName set to itself"
                .formatted(other.getMetadata().getName()));
    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isNull();
  }

  private Answer evictAs(Node node, Pod pod) {
    return send(
        request(path(pod) + "/eviction")
            .header("Impersonate-User", "system:node:" + node.getMetadata().getName())
            .header("Impersonate-Group", "system:nodes")
            .post("application/json", Serialization.asJson(eviction(pod, Map.of())))
            .build());
  }
}
