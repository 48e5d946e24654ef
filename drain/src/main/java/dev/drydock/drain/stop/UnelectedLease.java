package dev.drydock.drain.stop;

import static dev.drydock.kube.Fields.text;

import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Election;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lease of an operator that runs without leader election. Nobody competes for it: it only lets
 * {@code drydock stop} find the operator, and see that it obeys. It is deleted on closing; those of
 * processes that died are deleted by the next one.
 */
public final class UnelectedLease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnelectedLease.class);
  private static final Duration FREE = Duration.ofSeconds(15);
  private static final Duration RENEW_EVERY = Duration.ofSeconds(2);

  private final Kube kube;
  private final String namespace;
  private final String name;
  private final Election election;
  private final StopAcknowledgement acknowledgement;

  public UnelectedLease(Kube kube, String namespace, String identity) {
    this.kube = kube;
    this.namespace = namespace;
    name = name(identity);
    election =
        new Election(
            kube,
            new Election.LeaseSettings(namespace, name, identity, FREE, RENEW_EVERY),
            () -> {},
            () -> {});
    acknowledgement = new StopAcknowledgement(kube, namespace, election);
  }

  public void start() {
    election.start();
    deleteWhere(StopWitnesses::isLongGone);
  }

  /** By the end of the identity, which is unique. */
  static String name(String identity) {
    String end = identity.substring(identity.lastIndexOf('_') + 1).toLowerCase(Locale.ROOT);
    return StopWitnesses.UNELECTED_LEASE + end.replaceAll("[^a-z0-9-]", "-");
  }

  private void deleteWhere(BiPredicate<ApiObject, Instant> condition) {
    List<ApiObject> leases = new ArrayList<>();
    try {
      var _ =
          kube.http()
              .list(Resource.LEASES.in(namespace), object -> leases.add(ApiObject.of(object)))
              .orThrow("Leases of namespace " + namespace);
      leases.stream()
          .filter(lease -> lease.name().startsWith(StopWitnesses.UNELECTED_LEASE))
          .filter(lease -> condition.test(lease, kube.clock().instant()))
          .forEach(lease -> Delete.sameUid(Resource.LEASES, lease).send(kube.http()));
    } catch (ApiFailure failure) {
      LOG.warn("Leases that nobody needs could not be deleted: {}", failure.getMessage());
    }
  }

  @Override
  public void close() {
    acknowledgement.close();
    election.close();
    deleteWhere((lease, _) -> lease.name().equals(name) && isFree(lease));
  }

  private static boolean isFree(ApiObject lease) {
    return text(lease.spec(), "holderIdentity").isEmpty();
  }
}
