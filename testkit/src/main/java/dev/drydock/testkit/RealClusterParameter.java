package dev.drydock.testkit;

import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import java.util.function.BiFunction;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects a parameter into a {@link ClusterTest} that is created on the real control plane, in its
 * own namespace that ends with the test. Tests name a subclass in {@code ExtendWith}.
 */
public abstract class RealClusterParameter<T> implements ParameterResolver {
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(RealClusterParameter.class);

  private final Class<T> type;
  private final String prefix;
  private final BiFunction<ControlPlane, String, T> make;

  /**
   * Creates the parameter for a control plane and a namespace.
   *
   * @param prefix of the namespace's name
   */
  protected RealClusterParameter(
      Class<T> type, String prefix, BiFunction<ControlPlane, String, T> make) {
    this.type = type;
    this.prefix = prefix;
    this.make = make;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == type;
  }

  @Override
  public T resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ControlPlane controlPlane = ClusterExtension.controlPlane(context);
    TestNamespace namespace = controlPlane.createNamespace(prefix);
    // JUnit closes it at the end of the test
    context.getStore(STORE).put(namespace, namespace);
    return make.apply(controlPlane, namespace.name());
  }
}
