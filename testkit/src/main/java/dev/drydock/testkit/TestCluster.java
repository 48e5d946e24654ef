package dev.drydock.testkit;

import dev.drydock.kube.ObjectName;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A cluster whose nodes have simulated kubelets: a real control plane in real time, or a simulated
 * one in virtual time. Tests must wait with {@link #eventually} and {@link #pass}: virtual time
 * passes, and the test's processes run, only then.
 */
public interface TestCluster extends AutoCloseable {
  KubernetesClient client();

  /** The config with which a client in another process connects. */
  Config config();

  Clock clock();

  Eventually eventually();

  /** Lets time pass. */
  void pass(Duration time);

  /** Starts what is one process in production. */
  TestProcess process(ProcessOptions options);

  /** With an interceptor of its requests. */
  default TestProcess process(RequestInterceptor interceptor) {
    return process(ProcessOptions.of(interceptor));
  }

  default TestProcess process() {
    return process(RequestInterceptor.NONE);
  }

  /** Adds a node with this name prefix and returns its name. */
  String addNode(String prefix);

  /** Adds nodes, whose names begin with the prefix, and returns their names. */
  List<String> addNodes(int count, String prefix, NodeTemplate template);

  /** Adds a node whose name is as long as that of a node may be, or two characters shorter. */
  default String addNodeWithLongName(String prefix) {
    int longest = ObjectName.LONGEST - "-1".length(); // which simulated clusters add
    String name = prefix + "-" + "n.".repeat(longest);
    return addNode(name.substring(0, longest - 1) + "n");
  }

  /** Runs a pod without a controller, labelled with its name, which stops within a second. */
  default void runPod(String namespace, String name, String node) {
    PodResource pod = client().pods().inNamespace(namespace).withName(name);
    client()
        .pods()
        .inNamespace(namespace)
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .withTerminationGracePeriodSeconds(1L)
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build())
        .create();
    eventually().until(() -> "Running".equals(pod.require().getStatus().getPhase()));
  }

  /** Installs CRDs, given as YAML documents, unless the cluster has them. */
  void define(String definitions);

  /** Runs the real kubectl to its end; virtual time follows real time meanwhile. */
  CommandResult kubectl(String input, String... arguments);

  @Override
  void close();

  /** A real control plane, which keeps running when this is closed. */
  static TestCluster real(ControlPlane controlPlane) {
    return new RealTestCluster(controlPlane);
  }

  /** A simulated cluster in virtual time, which ends when this is closed. */
  static TestCluster simulated() {
    return simulated(SimulatedCluster.Settings.defaults());
  }

  static TestCluster simulated(SimulatedCluster.Settings settings) {
    return simulated(SimulatedCluster.stepped(settings, Instant.parse("2026-01-01T00:00:00Z")));
  }

  /** Waits in the time of the simulated cluster, which ends when this is closed. */
  static TestCluster simulated(SimulatedCluster cluster) {
    return new SimulatedTestCluster(cluster);
  }
}
