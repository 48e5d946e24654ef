package dev.drydock.lifecycle;

import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.claim.Claimer;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.testkit.TestProcess;

/** An agent that is reached by method calls, so that it can live in virtual time. */
final class LocalAgent implements TestAgent {
  private final TestProcess process;
  private final LifecycleAgentSettings settings;
  private final LocalNode node;
  private final LifecycleAgentServices services;

  LocalAgent(TestProcess process, LifecycleAgentSettings settings, LocalNode node) {
    this.process = process;
    this.settings = settings;
    this.node = node;
    services = new LifecycleAgentServices(process.kube(), settings, node, Claimer.Outcomes.NONE);
    services.start();
    for (DriverNaming naming : settings.driverNames()) {
      node.register(naming.driver(), services.driver());
    }
    if (settings.claims() != LifecycleAgentSettings.Claims.NEVER) {
      node.join(services);
    }
  }

  @Override
  public Kube kube() {
    return process.kube();
  }

  /** In the order in which an agent with sockets ends. */
  @Override
  public void close() {
    services.stopClaiming();
    for (DriverNaming naming : settings.driverNames()) {
      node.unregister(naming.driver(), services.driver());
    }
    node.leave(services);
    services.close();
    process.close();
  }
}
