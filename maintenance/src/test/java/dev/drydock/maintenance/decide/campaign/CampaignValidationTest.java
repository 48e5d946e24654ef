package dev.drydock.maintenance.decide.campaign;

import static dev.drydock.maintenance.decide.campaign.TestCampaignFacts.START;
import static dev.drydock.maintenance.decide.campaign.TestSpec.anyClass;
import static dev.drydock.maintenance.decide.campaign.TestSpec.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Requirement;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CampaignValidationTest {
  private static final Map<String, MaintenanceClassSpec> CLASSES = Map.of("any", anyClass());

  static Stream<Arguments> mistakes() {
    return Stream.of(
        wrong(
            spec().budget(null, "0"), "spec.budgets[0].maxUnavailable: 0 never lets a node leave"),
        wrong(
            spec().budget(null, "5").budget("zone", "0%"),
            "spec.budgets[1].maxUnavailable: 0% never lets a node leave"),
        wrong(spec().budget(null, "many"), "spec.budgets[0].maxUnavailable: \"many\" is neither"),
        wrong(spec().budget("a b", "1"), "spec.budgets[0].key: \"a b\" is not a label name"),
        wrong(
            spec().budget("zone", "1").budget("zone", "2"),
            "spec.budgets[1].key: \"zone\" is limited above already"),
        wrong(
            spec().budget(null, "1").budget(null, "2"),
            "spec.budgets[1].key: all nodes are limited above already"),
        wrong(
            spec().window("0 25 * * *", "2h", null),
            "spec.windows[0].schedule: schedule \"0 25 * * *\" hour \"25\": 25 is out of range;"
                + " allowed are 0-23"),
        wrong(
            spec().window("@daily", "2h", null).window("nightly", "2h", null),
            "spec.windows[1].schedule: schedule \"nightly\" has 1 fields instead of 5"),
        wrong(
            spec().window("@daily", "2 hours", null),
            "spec.windows[0].duration: \"2 hours\" is not a duration"),
        wrong(
            spec().window("@daily", "2h", "Berlin"),
            "spec.windows[0].timeZone: \"Berlin\" is not a time zone"),
        wrong(
            spec().window("0 0 30 2 *", "2h", null),
            "spec.windows: none of them opens within five years"),
        wrong(
            spec().window("0 2 * * *", "2h", null).exclude("0 0 * * *", "24h", null),
            "spec.exclusions: they leave no time within five years"),
        wrong(
            spec().exclude("2026-12-24", "2026-12-27T00:00:00Z"),
            "spec.exclusions[0].from: \"2026-12-24\" is not a moment"),
        wrong(
            spec().exclude("2026-12-24T00:00:00Z", "2026-12-24T00:00:00Z"),
            "spec.exclusions[0].to: 2026-12-24T00:00:00Z does not lie after from"),
        wrong(
            spec().exclude("2026-12-24T00:00:00Z", null),
            "spec.exclusions[0]: needs either from and to, or schedule and duration"),
        wrong(
            spec().exclude("* * * *", "2h", "Mars"),
            "spec.exclusions[0].schedule: schedule \"* * * *\" has 4 fields",
            "spec.exclusions[0].timeZone: \"Mars\" is not a time zone"),
        wrong(
            spec().on("gpu", "a b"), "spec.nodeSelector.matchLabels: \"a b\" is not a label value"),
        wrong(
            spec().on("-gpu", "a"), "spec.nodeSelector.matchLabels: \"-gpu\" is not a label name"),
        wrong(
            spec().on(new Requirement("gpu", "Equals", List.of("a"))),
            "spec.nodeSelector.matchExpressions[0]: operator \"Equals\" is not known"),
        wrong(
            spec().on(new Requirement("gpu", "In", null)),
            "spec.nodeSelector.matchExpressions[0]: label gpu in a selector needs at least one"),
        wrong(
            spec().on(new Requirement("gpu", "Exists", List.of("a"))),
            "spec.nodeSelector.matchExpressions[0]: label gpu in a selector takes no value"),
        wrong(spec().canary(null, null, 0), "spec.canary: needs exactly one of nodes and percent"),
        wrong(spec().canary(1, 1, 0), "spec.canary: needs exactly one of nodes and percent"),
        wrong(spec().canary(0, null, 0), "spec.canary.nodes: 0 is less than 1"),
        wrong(spec().canary(null, 101, 0), "spec.canary.percent: 101 is more than 100"),
        wrong(spec().canary(1, null, -1), "spec.canary.soakSeconds: -1 is less than 0"),
        wrong(spec().batches(0, null, null), "spec.batches.start: 0 is less than 1"),
        wrong(spec().batches(1, 0.5, null), "spec.batches.growth: 0.5 would make batches shrink"),
        wrong(
            spec().batches(1, Double.NaN, null),
            "spec.batches.growth: NaN would make batches shrink"),
        wrong(spec().batches(5, 2.0, 4), "spec.batches.max: 4 is less than spec.batches.start, 5"),
        wrong(spec().patience("long"), "spec.patience: \"long\" is not a duration"),
        wrong(spec().stopOnFailures(0), "spec.stopOnFailures: 0 is less than 1"),
        wrong(spec().id("-x"), "spec.maintenanceID: \"-x\" does not fit into a label"));
  }

  private static Arguments wrong(TestSpec spec, String... beginnings) {
    return Arguments.of(spec, List.of(beginnings));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void everyMistakeIsNamedWithItsField(TestSpec spec, List<String> beginnings) {
    List<SpecMistake> mistakes = CampaignValidation.mistakes("c", spec.build(), CLASSES, START);

    assertThat(mistakes).hasSameSizeAs(beginnings);
    for (int i = 0; i < beginnings.size(); i++) {
      assertThat(mistakes.get(i).toString()).startsWith(beginnings.get(i));
    }
  }

  @Test
  void nothingIsWrongWithWhatIsRight() {
    TestSpec spec =
        spec()
            .on(
                new Requirement("gpu", "In", List.of("a", "")),
                new Requirement("example.com/x", "NotIn", List.of("b")),
                new Requirement("y", "Exists", null),
                new Requirement("z", "DoesNotExist", List.of()))
            .budget(null, "10%")
            .budget(TestCampaignFacts.ZONE, "1")
            .window("0 22 * * MON-FRI", "6h", "Europe/Berlin")
            .exclude("2026-12-20T00:00:00+01:00", "2027-01-06T00:00:00+01:00")
            .exclude("0 0 1 * *", "24h", null)
            .canary(null, 5, 600)
            .batches(2, 1.5, 50)
            .stopOnFailures(3)
            .priority(-5);

    assertThat(CampaignValidation.mistakes("c", spec.build(), CLASSES, START)).isEmpty();
  }

  @Test
  void anUnknownClassIsNamedBesideThoseThereAre() {
    assertThat(
            CampaignValidation.mistakes(
                "c", spec().build(), Map.of("b", anyClass(), "a", anyClass()), START))
        .extracting(SpecMistake::toString)
        .containsExactly(
            "spec.maintenanceClass: no MaintenanceClass is named \"any\"; there are a, b");
    assertThat(CampaignValidation.mistakes("c", spec().build(), Map.of(), START))
        .extracting(SpecMistake::toString)
        .containsExactly(
            "spec.maintenanceClass: no MaintenanceClass is named \"any\"; there is none yet,"
                + " create it first");
  }

  @Test
  void aNameThatIsNoMaintenanceIdNeedsOne() {
    String name = "c".repeat(64);

    assertThat(CampaignValidation.mistakes(name, spec().build(), CLASSES, START))
        .extracting(SpecMistake::field)
        .containsExactly("spec.maintenanceID");
    assertThat(CampaignValidation.mistakes(name, spec().id("fw-17").build(), CLASSES, START))
        .isEmpty();
  }

  @Test
  void aMistakeInTheClassesBudgetsIsFoundHereToo() {
    Map<String, MaintenanceClassSpec> broken = Map.of("any", anyClass(new DomainBudget(null, "0")));

    assertThat(CampaignValidation.mistakes("c", spec().build(), broken, START))
        .extracting(SpecMistake::field)
        .containsExactly("MaintenanceClass any spec.budgets[0].maxUnavailable");
  }
}
