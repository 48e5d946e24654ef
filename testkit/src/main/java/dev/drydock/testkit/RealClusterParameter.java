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
 * Gives a {@link ClusterTest} a parameter that is made on the real control plane, in a namespace of
 * its own that ends with the test. Extended by what the test names in {@code ExtendWith}.
 */
public abstract class RealClusterParameter<T> implements ParameterResolver {
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(RealClusterParameter.class);

  private final Class<T> type;
  private final String words;
  private final BiFunction<ControlPlane, String, T> make;

  /**
   * Makes it from the control plane and the namespace's name.
   *
   * @param words that the namespace's name begins with
   */
  protected RealClusterParameter(
      Class<T> type, String words, BiFunction<ControlPlane, String, T> make) {
    this.type = type;
    this.words = words;
    this.make = make;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == type;
  }

  @Override
  public T resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ControlPlane controlPlane = ClusterExtension.controlPlane(context);
    TestNamespace namespace = controlPlane.createNamespace(words);
    // closed by JUnit at the end of the test
    context.getStore(STORE).put(namespace, namespace);
    return make.apply(controlPlane, namespace.name());
  }
}
