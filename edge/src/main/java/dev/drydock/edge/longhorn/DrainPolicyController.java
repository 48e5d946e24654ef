package dev.drydock.edge.longhorn;

import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps Longhorn's setting {@code node-drain-policy} as the operator's file says. It is one for the
 * whole cluster, so no agent on a node may change it. Without Longhorn there is nothing to do.
 */
public final class DrainPolicyController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DrainPolicyController.class);
  private static final String NAME = "node-drain-policy";

  private final Kube kube;
  private final NodeDrainPolicy policy;
  private final ControlLoop loop;
  private final Watch<ApiObject> setting;

  public DrainPolicyController(Kube kube, NodeDrainPolicy policy) {
    this.kube = kube;
    this.policy = policy;
    loop = kube.loop("longhorn-drain-policy", this::step);
    Source source = LonghornReader.SETTINGS.named(LonghornReader.NAMESPACE, NAME);
    setting =
        kube.watches()
            .of(Watch.Kind.of(source, ApiObject::of).ifServed(), Watch.Listener.waking(loop::wake));
  }

  public void start() {
    setting.start();
  }

  private Instant step() {
    setting.state().items().stream()
        .filter(found -> !Fields.text(found.root(), "value").equals(policy.word()))
        .forEach(this::write);
    return Instant.MAX;
  }

  private void write(ApiObject found) {
    var _ =
        Patch.ifUnchanged(LonghornReader.SETTINGS, found)
            .fields(body -> body.put("value", policy.word()))
            .send(kube.http());
    LOG.info("Longhorn's setting {} is {} now", NAME, policy.word());
  }

  @Override
  public void close() {
    setting.close();
    loop.close();
  }
}
