package dev.drydock.sim.contract;

import dev.drydock.sim.SimulatedApiServer;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Provides one simulated API server for the whole run, and one namespace per contract. */
final class SimulatedApiParameter implements ParameterResolver {
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(SimulatedApiParameter.class);

  /** JUnit closes it at the end of the run. */
  private record Running(SimulatedApiServer server, KubernetesClient client)
      implements AutoCloseable {
    @Override
    public void close() {
      client.close();
      server.close();
    }
  }

  /** JUnit closes it at the end of the test. */
  private record OwnNamespace(KubernetesClient client, String name) implements AutoCloseable {
    @Override
    public void close() {
      client.namespaces().withName(name).delete();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == ApiUnderTest.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    KubernetesClient client =
        context
            .getRoot()
            .getStore(STORE)
            .computeIfAbsent(Running.class, _ -> start(), Running.class)
            .client();
    String name = "contract-" + UUID.randomUUID().toString().substring(0, 8);
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    OwnNamespace namespace = new OwnNamespace(client, name);
    context.getStore(STORE).put(namespace, namespace);
    return new ApiUnderTest(client, name);
  }

  private static Running start() {
    try {
      SimulatedApiServer server = SimulatedApiServer.start(SimulatedApiServer.Options.defaults());
      Config config = Config.fromKubeconfig(server.kubeconfig());
      config.setRequestRetryBackoffLimit(0);
      return new Running(server, new KubernetesClientBuilder().withConfig(config).build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
