package dev.drydock.maintenance.control;

import dev.drydock.drain.hold.HoldsAnnotation;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Two who have nothing to do with maintenances: a tenant who forges what it may create in a
 * namespace of its own, and an admin who removes what looks as if nobody needs it. The same seed
 * does the same in the same situations.
 */
final class RandomWalkStrangers {
  /** Where the tenant may do anything. */
  static final String TENANT = "tenant";

  private final RandomWalkFixture fixture;
  private final Random random;
  private final Consumer<String> did;
  private final Set<String> forged = new HashSet<>();

  /**
   * Labels of maintenances whose finalizers the admin removed, with their nodes. One that is
   * deleted then, while no operator leads, vanishes without anybody having seen it.
   */
  private final Map<String, String> orphanedLabels = new TreeMap<>();

  private int count;
  private String campaign = "";

  /**
   * @param did told what was done, for people
   */
  RandomWalkStrangers(RandomWalkFixture fixture, long seed, Consumer<String> did) {
    this.fixture = fixture;
    this.did = did;
    random = new Random(seed * 31);
    fixture.create(
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: tenant}
        """);
  }

  void act() {
    switch (random.nextInt(15)) {
      case 0, 1 -> any().ifPresent(this::forgeJob);
      case 2, 3 -> any().ifPresent(this::forgeDrain);
      case 4 -> withdraw();
      case 5, 6 -> any().ifPresent(this::removeFinalizers);
      case 7 -> any().ifPresent(this::removeAnnotations);
      case 8 -> removeHolds();
      case 9 -> beginCampaign();
      case 10 -> endCampaign();
      case 11, 12 -> removeLedgers();
      case 13 -> removeLease();
      default -> {
        // now and then nobody does anything
      }
    }
  }

  private Optional<NotifyMaintenanceObject> any() {
    List<NotifyMaintenanceObject> all =
        fixture.witness.maintenances().stream()
            .sorted(Comparator.comparing(NotifyMaintenanceObject::toString))
            .toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  /** Done, failed or running: whatever the tenant would like. */
  private void forgeJob(NotifyMaintenanceObject of) {
    count++;
    String name = "forged-" + count;
    String purpose = random.nextBoolean() ? "work" : "proof";
    String end = List.of("Complete", "Failed", "").get(random.nextInt(3));
    did.accept("forge %s Job %s of %s: %s".formatted(purpose, name, of, end));
    var made =
        fixture.cluster.create(
            RandomWalkFixture.yaml(
                """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %s
                  namespace: tenant
                  labels:
                    drydock.dev/maintenance: "%s"
                    drydock.dev/purpose: %s
                    drydock.dev/attempt: "%d"
                  annotations: {drydock.dev/node: %s}
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      nodeName: spare-1
                      containers: [{name: main, image: none}]
                """
                    .formatted(name, of.uid(), purpose, 1 + random.nextInt(3), of.facts().node())));
    if (made.isSuccess()) {
      forged.add("Job " + name);
    }
    if (!end.isEmpty()) {
      var _ =
          fixture.cluster.patch(
              "Job",
              TENANT,
              name,
              "status",
              RandomWalkFixture.yaml(
                  "{status: {conditions: [{type: %s, status: 'True', reason: Forged, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}]}}"
                      .formatted(end)));
    }
  }

  private void forgeDrain(NotifyMaintenanceObject of) {
    String name = of.facts().identity().name();
    did.accept("forge the drain of " + of);
    var made =
        fixture.cluster.create(
            RandomWalkFixture.yaml(
                """
                apiVersion: nvsentinel.nvidia.com/v1alpha1
                kind: DrainRequest
                metadata:
                  name: %s
                  namespace: tenant
                  labels: {drydock.dev/maintenance: "%s"}
                  annotations: {drydock.dev/node: %s}
                spec: {nodeName: spare-1, drainer: nobody, reason: forged}
                """
                    .formatted(name, of.uid(), of.facts().node())));
    if (made.isSuccess()) {
      forged.add("DrainRequest " + name);
    }
    var _ =
        fixture.cluster.patch(
            "DrainRequest",
            TENANT,
            name,
            "status",
            RandomWalkFixture.yaml(
                "{status: {conditions: [{type: DrainComplete, status: 'True', reason: Done, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}]}}"));
  }

  private void withdraw() {
    forged.stream().sorted().findFirst().ifPresent(this::delete);
  }

  private void delete(String what) {
    String[] kindAndName = what.split(" ", 2);
    did.accept("delete forged " + what);
    forged.remove(what);
    var _ = fixture.cluster.delete(kindAndName[0], TENANT, kindAndName[1], null);
  }

  /** As {@code kubectl replace} with a manifest that has none. One that is deleted is gone then. */
  private void removeFinalizers(NotifyMaintenanceObject of) {
    did.accept(
        "remove the finalizers of %s, %s%s"
            .formatted(of, of.facts().state(), of.facts().deleted() ? ", deleted" : ""));
    orphanedLabels.put(of.facts().nodeLabel(), of.facts().node());
    fixture.patch(
        "NotifyMaintenance", of.facts().identity().name(), "{metadata: {finalizers: null}}");
  }

  private void removeAnnotations(NotifyMaintenanceObject of) {
    did.accept("remove the annotations of " + of);
    fixture.patch(
        "NotifyMaintenance", of.facts().identity().name(), "{metadata: {annotations: null}}");
  }

  private void removeHolds() {
    List<String> nodes = RandomWalkFixture.NODES;
    String node = nodes.get(random.nextInt(nodes.size()));
    did.accept("remove the holds of node " + node);
    fixture.patch(
        "Node", node, "{metadata: {annotations: {\"%s\": null}}}".formatted(HoldsAnnotation.NAME));
  }

  /** One at a time, over all nodes that are maintained. */
  private void beginCampaign() {
    if (campaign.isEmpty()) {
      count++;
      campaign = "c-" + count;
      did.accept("begin campaign " + campaign);
      fixture.create(
          """
          apiVersion: drydock.dev/v1alpha1
          kind: MaintenanceCampaign
          metadata: {name: %s}
          spec:
            nodeSelector: {matchLabels: {other: label}}
            maintenanceClass: all-well
            namespace: default
            budgets: [{maxUnavailable: 2}]
          """
              .formatted(campaign));
    }
  }

  void endCampaign() {
    if (!campaign.isEmpty()) {
      did.accept("delete campaign " + campaign);
      var _ = fixture.cluster.delete("MaintenanceCampaign", "", campaign, null);
      campaign = "";
    }
  }

  /** Which nodes may leave, and which are done. */
  private void removeLedgers() {
    did.accept("remove the ledgers");
    fixture
        .cluster
        .list("ConfigMap", "default", "labelSelector=drydock.dev%2Fledger")
        .body()
        .path("items")
        .forEach(
            map -> {
              var _ =
                  fixture.cluster.delete(
                      "ConfigMap", "default", map.at("/metadata/name").asText(), null);
            });
  }

  private void removeLease() {
    did.accept("remove the Lease");
    var _ = fixture.cluster.delete("Lease", "default", RandomWalkFixture.LEASE, null);
  }

  /** What nobody else may remove: labels of maintenances that never said that they are over. */
  void cleanUp() {
    List.copyOf(forged).forEach(this::delete);
    fixture
        .witness
        .maintenances()
        .forEach(there -> orphanedLabels.remove(there.facts().nodeLabel()));
    orphanedLabels.forEach(
        (label, node) ->
            fixture.patch("Node", node, "{metadata: {labels: {\"%s\": null}}}".formatted(label)));
  }
}
