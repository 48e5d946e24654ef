package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.request.decide.DrainRequestPolicy;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.Typed;
import dev.drydock.maintenance.decide.ClassFacts;
import dev.drydock.maintenance.decide.ClassFacts.Proof;
import dev.drydock.maintenance.decide.ClassFacts.Prover;
import dev.drydock.maintenance.decide.campaign.BudgetLevel;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A MaintenanceClass as it was read. */
public record MaintenanceClassObject(String name, MaintenanceClassSpec spec, ClassFacts facts) {
  public static final Resource RESOURCE =
      Resource.cluster(
          MaintenanceClass.GROUP,
          MaintenanceClass.VERSION,
          MaintenanceClass.PLURAL,
          MaintenanceClass.KIND);

  static final Source ALL = RESOURCE.all();

  /**
   * @throws IllegalStateException if it cannot be parsed
   * @throws IllegalArgumentException if a value in it means nothing
   */
  static MaintenanceClassObject read(JsonNode object) {
    MaintenanceClassSpec spec = Typed.read(object.path("spec"), MaintenanceClassSpec.class);
    check(spec);
    return new MaintenanceClassObject(text(object.path("metadata"), "name"), spec, facts(spec));
  }

  /** Checks while reading, so that a class with a mistake does not affect the others. */
  private static void check(MaintenanceClassSpec spec) {
    var _ = Typed.required("spec.drain", spec.drain());
    var _ = Typed.required("spec.maintenance", spec.maintenance());
    var _ = Typed.required("spec.validation", spec.validation());
    String period = spec.slaPeriod();
    if (period != null) {
      named("spec.slaPeriod", () -> GoDuration.parse(period));
    }
    named("spec.budgets", () -> BudgetLevel.of(spec.budgets()));
    MaintenanceClassSpec.Builtin builtin = spec.drain().builtin();
    if (builtin != null) {
      named("spec.drain.builtin.policy", () -> DrainRequestPolicy.of(builtin.policy()));
    }
    MaintenanceClassSpec.DrainByRequest request = spec.drain().drainRequest();
    if (request != null) {
      named("spec.drain.drainRequest.policy", () -> DrainRequestPolicy.of(request.policy()));
    }
  }

  private static void named(String field, Supplier<?> value) {
    try {
      var _ = value.get();
    } catch (IllegalArgumentException mistake) {
      throw new IllegalArgumentException(field + ": " + mistake.getMessage(), mistake);
    }
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
