package dev.drydock.serve.tls;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.call.LocalCalls.Answer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;

/** A simulated cluster that knows NotifyMaintenances, and connections to it. */
final class SimulatedApi implements AutoCloseable {
  private static final YAMLMapper YAML = new YAMLMapper();

  final SimulatedCluster cluster =
      SimulatedCluster.running(SimulatedCluster.Settings.usual().withSeed(1));
  private final List<KubernetesClient> clients = new ArrayList<>();
  private final List<Kube> connections = new ArrayList<>();

  SimulatedApi() {
    for (String definition : CrdCatalog.yaml().split("(?m)^---\n", -1)) {
      if (!definition.isBlank()) {
        create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
      }
    }
  }

  void create(String collection, String yaml) {
    Answer answer = cluster.call("POST", collection, read(yaml));
    if (answer.code() != HttpURLConnection.HTTP_CREATED) {
      throw new IllegalStateException(answer.code() + ": " + answer.body());
    }
  }

  JsonNode get(String path) {
    return cluster.call("GET", path, null).body();
  }

  static JsonNode read(String yaml) {
    try {
      return YAML.readTree(yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As of another process. */
  Kube connect(RequestInterceptor hook, TimeSource time) {
    try {
      KubernetesClient client =
          new KubernetesClientBuilder()
              .withConfig(Config.fromKubeconfig(cluster.kubeconfig()))
              .build();
      KubeHttp http = new KubeHttp(client, hook, 500);
      clients.add(client);
      Kube kube = new Kube(http, time);
      connections.add(kube);
      return kube;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    connections.forEach(Kube::close);
    clients.forEach(KubernetesClient::close);
    cluster.close();
  }
}
