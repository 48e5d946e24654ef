package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.Typed;
import dev.drydock.maintenance.decide.ClassFacts;
import dev.drydock.maintenance.decide.ClassFacts.Proof;
import dev.drydock.maintenance.decide.ClassFacts.Prover;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A MaintenanceClass as it was read. */
record MaintenanceClassObject(String name, MaintenanceClassSpec spec, ClassFacts facts) {
  static final Source ALL =
      Resource.cluster(
              MaintenanceClass.GROUP,
              MaintenanceClass.VERSION,
              MaintenanceClass.PLURAL,
              MaintenanceClass.KIND)
          .all();

  static MaintenanceClassObject read(JsonNode object) {
    MaintenanceClassSpec spec = Typed.read(object.path("spec"), MaintenanceClassSpec.class);
    return new MaintenanceClassObject(text(object.path("metadata"), "name"), spec, facts(spec));
  }

  private static ClassFacts facts(MaintenanceClassSpec spec) {
    MaintenanceClassSpec.Validation proof = spec.validation();
    Prover by =
        proof.job() != null ? Prover.JOB : proof.outside() != null ? Prover.OUTSIDE : Prover.NOBODY;
    return new ClassFacts(
        spec.drain().outside() != null,
        spec.maintenance().job() == null ? ClassFacts.Work.OUTSIDE : ClassFacts.Work.JOB,
        new Proof(by, Duration.ofSeconds(orZero(proof.soakSeconds())), orZero(proof.retries())),
        Optional.ofNullable(spec.deadlineSeconds()).map(Duration::ofSeconds));
  }

  /** How long the drain may be gentle, if the class says so. */
  Optional<Duration> slaPeriod() {
    return Optional.ofNullable(spec.slaPeriod()).map(GoDuration::parse);
  }

  private static int orZero(@Nullable Integer number) {
    return number == null ? 0 : number;
  }
}
