package dev.drydock.testkit;

import dev.drydock.kube.RequestInterceptor;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * A cluster whose nodes have simulated kubelets: a real control plane in real time, or a simulated
 * one in virtual time. What a test waits for, it waits for by {@link #eventually} and {@link
 * #pass}: only then does virtual time pass, and only then does anything happen in its processes.
 */
public interface TestCluster extends AutoCloseable {
  KubernetesClient client();

  /** What a client in another process would connect by. */
  Config config();

  Clock clock();

  Eventually eventually();

  /** Lets time pass. */
  void pass(Duration time);

  /** What is one process in production. */
  TestProcess process(ProcessOptions options);

  /** With an interceptor of its requests. */
  default TestProcess process(RequestInterceptor interceptor) {
    return process(ProcessOptions.of(interceptor));
  }

  default TestProcess process() {
    return process(RequestInterceptor.NONE);
  }

  /** Adds a node and returns its name, which begins with these words. */
  String addNode(String words);

  /** Runs the real kubectl to its end; virtual time passes with real time meanwhile. */
  CommandResult kubectl(String input, String... arguments);

  @Override
  void close();

  /** A real control plane, which stays when this is closed. */
  static TestCluster real(ControlPlane controlPlane) {
    return new RealTestCluster(controlPlane);
  }

  /** A simulated cluster in virtual time, which ends when this is closed. */
  static TestCluster simulated() {
    return simulated(SimulatedCluster.Settings.usual());
  }

  static TestCluster simulated(SimulatedCluster.Settings settings) {
    return simulated(SimulatedCluster.stepped(settings, Instant.parse("2026-01-01T00:00:00Z")));
  }

  /** In the time of the simulated cluster, which ends when this is closed. */
  static TestCluster simulated(SimulatedCluster cluster) {
    return new SimulatedTestCluster(cluster);
  }
}
