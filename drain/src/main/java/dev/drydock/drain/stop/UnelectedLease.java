package dev.drydock.drain.stop;

import static dev.drydock.kube.Fields.text;

import dev.drydock.drain.stop.decide.StopLease;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Election.LeaseSettings;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link PresenceLease} of an operator that runs without leader election. It is deleted on
 * closing; those of processes that died are deleted by the next one.
 */
public final class UnelectedLease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnelectedLease.class);

  private final Kube kube;
  private final String namespace;
  private final String name;
  private final PresenceLease presence;

  public UnelectedLease(Kube kube, String namespace, String identity) {
    this.kube = kube;
    this.namespace = namespace;
    name = name(identity);
    presence =
        new PresenceLease(kube, LeaseSettings.ofController(namespace, name, identity), namespace);
  }

  public void start() {
    presence.start();
    deleteWhere((lease, now) -> StopWitnesses.read(lease).isLongGone(now));
  }

  /** The name of the Lease, by the end of the identity, which is unique. */
  static String name(String identity) {
    String end = identity.substring(identity.lastIndexOf('_') + 1).toLowerCase(Locale.ROOT);
    return StopLease.UNELECTED_OPERATOR + end.replaceAll("[^a-z0-9-]", "-");
  }

  private void deleteWhere(BiPredicate<ApiObject, Instant> condition) {
    List<ApiObject> leases = new ArrayList<>();
    try {
      var _ =
          kube.http()
              .list(Resource.LEASES.in(namespace), object -> leases.add(ApiObject.of(object)))
              .orThrow("Leases of namespace " + namespace);
      leases.stream()
          .filter(lease -> lease.name().startsWith(StopLease.UNELECTED_OPERATOR))
          .filter(lease -> condition.test(lease, kube.clock().instant()))
          .forEach(lease -> Delete.sameUid(Resource.LEASES, lease).send(kube.http()));
    } catch (ApiFailure failure) {
      LOG.warn("Leases that nobody needs could not be deleted: {}", failure.getMessage());
    }
  }

  @Override
  public void close() {
    presence.close();
    deleteWhere((lease, _) -> lease.name().equals(name) && isFree(lease));
  }

  private static boolean isFree(ApiObject lease) {
    return text(lease.spec(), "holderIdentity").isEmpty();
  }
}
