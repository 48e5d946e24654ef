package dev.drydock.testbed.contract;

import dev.drydock.sim.contract.ApiUnderTest;
import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Runs the contracts on the control plane of the test run. */
final class RealApiServer implements ParameterResolver {
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(RealApiServer.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == ApiUnderTest.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ControlPlane controlPlane = ClusterExtension.controlPlane(context);
    TestNamespace namespace = controlPlane.createNamespace("contract");
    // JUnit closes it at the end of the test, and the client at the end of the run
    context.getStore(STORE).put(namespace, namespace);
    KubernetesClient client =
        context
            .getRoot()
            .getStore(STORE)
            .computeIfAbsent(
                KubernetesClient.class, _ -> connect(controlPlane), KubernetesClient.class);
    return new ApiUnderTest(client, namespace.name());
  }

  private static KubernetesClient connect(ControlPlane controlPlane) {
    Config config = Config.fromKubeconfig(controlPlane.kubeconfig().toFile());
    config.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(config).build();
  }
}
