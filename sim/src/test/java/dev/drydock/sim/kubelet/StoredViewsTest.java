package dev.drydock.sim.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ways to read a pod or a node give the same view. */
class StoredViewsTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:10Z");
  private static final KubernetesSerialization MODEL = new KubernetesSerialization();

  private static ObjectNode read(String yaml) throws IOException {
    return (ObjectNode) new YAMLMapper().readTree(yaml);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        metadata: {name: a, namespace: n, uid: u, resourceVersion: '7'}
        spec: {nodeName: x, containers: [{name: main, image: i}]}
        """,
        """
        metadata:
          name: a
          namespace: n
          uid: u
          resourceVersion: '7'
          deletionTimestamp: '2030-01-01T00:00:30Z'
          deletionGracePeriodSeconds: 30
          annotations: {sim.drydock.dev/stop-after: 5s, sim.drydock.dev/silent: 'true'}
        spec:
          nodeName: x
          hostNetwork: true
          restartPolicy: Never
          readinessGates: [{conditionType: mine}]
          initContainers: [{name: s, image: i, restartPolicy: Always}, {name: t, image: j}]
          containers: [{name: main, image: i}]
        status:
          phase: Running
          conditions: [{type: Ready, status: 'True'}, {type: PodScheduled, status: 'True'}]
          containerStatuses:
          - name: main
            restartCount: 2
            containerID: sim://boot/u/main
            state: {running: {startedAt: '2030-01-01T00:00:00Z'}}
        """
      })
  void podsAreReadAlike(String yaml) throws IOException {
    ObjectNode tree = read(yaml);

    assertThat(StoredViews.pod(tree, null, NOW))
        .isEqualTo(PodView.of(MODEL.convertValue(tree, Pod.class), null, NOW));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metadata: {name: x, uid: u}",
        """
        metadata: {name: x, uid: u, annotations: {sim.drydock.dev/reboot: '1'}}
        status:
          nodeInfo: {bootID: b}
          addresses: [{type: Hostname, address: x}, {type: InternalIP, address: 172.16.0.1}]
          conditions:
          - {type: Ready, status: 'False'}
          - {type: sim.drydock.dev/Rebooting, status: 'True', lastTransitionTime: '2030-01-01T00:00:00Z'}
        """
      })
  void nodesAreReadAlike(String yaml) throws IOException {
    ObjectNode tree = read(yaml);

    assertThat(StoredViews.node(tree, null, NOW))
        .isEqualTo(NodeView.of(MODEL.convertValue(tree, Node.class), null, NOW));
  }
}
