package dev.drydock.testkit;

import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects a parameter that is created on a simulated cluster of its own, which the test closes.
 * Tests name a subclass in {@code ExtendWith}.
 */
public abstract class SimulatedClusterParameter<T> implements ParameterResolver {
  private final Class<T> type;
  private final Supplier<T> make;

  protected SimulatedClusterParameter(Class<T> type, Supplier<T> make) {
    this.type = type;
    this.make = make;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == type;
  }

  @Override
  public T resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return make.get();
  }
}
