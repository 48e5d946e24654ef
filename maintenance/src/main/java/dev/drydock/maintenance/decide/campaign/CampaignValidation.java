package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.NameLists;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Validates a campaign before it is stored. */
public final class CampaignValidation {
  private static final Pattern ID =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  private CampaignValidation() {}

  /** Every mistake, each with its field; empty if the campaign can be carried out. */
  public static List<SpecMistake> mistakes(
      String name,
      MaintenanceCampaignSpec spec,
      Map<String, MaintenanceClassSpec> classes,
      Instant now) {
    Optional<MaintenanceClassSpec> known =
        Optional.ofNullable(classes.get(spec.maintenanceClass()));
    List<SpecMistake> mistakes = new ArrayList<>();
    if (known.isEmpty()) {
      mistakes.add(unknownClass(spec.maintenanceClass(), classes));
    }
    String id = spec.maintenanceID() == null ? name : spec.maintenanceID();
    if (!ID.matcher(id).matches()) {
      mistakes.add(
          new SpecMistake(
              "spec.maintenanceID",
              "\""
                  + id
                  + "\""
                  + (spec.maintenanceID() == null ? ", the campaign's name," : "")
                  + " does not fit into a label; write up to 63 letters, digits, '-', '_' or '.'"));
    }
    CampaignRules.Reading reading = CampaignRules.read(spec, known);
    mistakes.addAll(reading.mistakes());
    reading.rules().flatMap(rules -> windows(rules.windows(), now)).ifPresent(mistakes::add);
    return List.copyOf(mistakes);
  }

  private static SpecMistake unknownClass(String name, Map<String, MaintenanceClassSpec> classes) {
    Set<String> known = new TreeSet<>(classes.keySet());
    String next =
        known.isEmpty()
            ? "; there is none yet, create it first"
            : "; there " + (known.size() == 1 ? "is " : "are ") + NameLists.some(known);
    return new SpecMistake(
        "spec.maintenanceClass", "no MaintenanceClass is named \"" + name + "\"" + next);
  }

  private static Optional<SpecMistake> windows(Windows windows, Instant now) {
    Windows.Search search = windows.search(now);
    if (!search.complete()) {
      return Optional.of(
          new SpecMistake(
              "spec.exclusions",
              "they alternate so often that no opening was found until %s; write fewer and longer ones"
                  .formatted(search.opening().orElse(now))));
    }
    return search.opening().isPresent() ? Optional.empty() : Optional.of(neverOpens(windows));
  }

  private static SpecMistake neverOpens(Windows windows) {
    if (new Windows(windows.windows(), List.of()).equals(windows)) {
      return new SpecMistake(
          "spec.windows", "none of them opens within five years: no day fits their schedules");
    }
    return new SpecMistake(
        "spec.exclusions", "they leave no time within five years in which a node may leave");
  }
}
