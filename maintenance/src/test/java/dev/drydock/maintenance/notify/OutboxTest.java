package dev.drydock.maintenance.notify;

import dev.drydock.sim.SimulatedCluster;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The outbox on a simulated cluster, in virtual time. */
@ExtendWith(OutboxTest.SimulatedOffice.class)
class OutboxTest extends OutboxContract {
  static final class SimulatedOffice implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == OutboxFixture.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return OutboxFixture.simulated(SimulatedCluster.Settings.usual());
    }
  }
}
