package dev.drydock.testkit;

import dev.drydock.kube.HttpTransport;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

final class RealTestCluster implements TestCluster {
  private final ControlPlane controlPlane;
  private final SimulatedKubelets kubelets;
  private final List<KubernetesClient> clients = new CopyOnWriteArrayList<>();

  RealTestCluster(ControlPlane controlPlane) {
    this.controlPlane = controlPlane;
    kubelets = SimulatedKubelets.start(controlPlane.client());
  }

  @Override
  public KubernetesClient client() {
    return controlPlane.client();
  }

  @Override
  public Config config() {
    return Config.fromKubeconfig(controlPlane.kubeconfig().toFile());
  }

  @Override
  public Clock clock() {
    return TimeSource.REAL.clock();
  }

  @Override
  public Eventually eventually() {
    return new RealEventually();
  }

  @Override
  public void pass(Duration time) {
    RealEventually.pass(time);
  }

  @Override
  public TestProcess process(ProcessOptions options) {
    Config config = options.rights().orElseGet(this::config);
    KubernetesClient own = new KubernetesClientBuilder().withConfig(config).build();
    clients.add(own);
    return new TestProcess(
        options.time().apply(TimeSource.REAL),
        time -> new HttpTransport(own, time),
        options.interceptor());
  }

  @Override
  public String addNode(String prefix) {
    kubelets.register(prefix, NodeTemplate.DEFAULT);
    return prefix;
  }

  @Override
  public List<String> addNodes(int count, String prefix, NodeTemplate template) {
    return kubelets.register(count, prefix, template);
  }

  @Override
  public void define(String definitions) {
    RealDefinitions.install(controlPlane, definitions);
  }

  @Override
  public CommandResult kubectl(String input, String... arguments) {
    return controlPlane.kubectlWithInput(input, arguments);
  }

  @Override
  public void close() {
    clients.forEach(KubernetesClient::close);
    kubelets.close();
  }
}
