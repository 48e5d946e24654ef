package dev.drydock.health.remediation;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.quarantine.QuarantineAnnotations;
import dev.drydock.health.quarantine.QuarantineNames;
import dev.drydock.health.remediation.decide.MaintenanceKind;
import dev.drydock.health.remediation.decide.RemediationJournal;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Versioned;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.Map;
import java.util.Optional;

/**
 * A Node, as far as remediation is concerned.
 *
 * @param label its state label; empty if it has none
 * @param byHand whether a person has ended its last quarantine
 * @param state the original's annotation; empty if it has none
 */
record RemediationNodeObject(
    String name,
    String uid,
    String version,
    Optional<Quarantine> quarantine,
    String label,
    boolean byHand,
    RemediationJournal journal,
    String state)
    implements Versioned {

  static RemediationNodeObject read(JsonNode node, Map<String, MaintenanceKind> kinds) {
    JsonNode metadata = node.path("metadata");
    Map<String, String> annotations = Fields.texts(metadata.path("annotations"));
    String state = annotations.getOrDefault(RemediationNames.STATE, "");
    try {
      Optional<Quarantine> quarantine = QuarantineAnnotations.readState(annotations).quarantine();
      return new RemediationNodeObject(
          text(metadata, "name"),
          text(metadata, "uid"),
          text(metadata, "resourceVersion"),
          quarantine,
          text(metadata.path("labels"), HealthNames.STATE_LABEL),
          annotations.containsKey(QuarantineNames.UNCORDONED_MANUALLY)
              || annotations.containsKey(QuarantineNames.UNTAINTED_MANUALLY),
          journal(annotations, state, quarantine, kinds),
          state);
    } catch (IOException | DateTimeException malformed) {
      throw new IllegalArgumentException(
          "the annotations of its remediation cannot be read: " + malformed.getMessage(),
          malformed);
    }
  }

  private static RemediationJournal journal(
      Map<String, String> annotations,
      String state,
      Optional<Quarantine> quarantine,
      Map<String, MaintenanceKind> kinds)
      throws IOException {
    String own = annotations.getOrDefault(RemediationNames.JOURNAL, "");
    if (!own.isEmpty()) {
      return RemediationAnnotations.readJournal(own);
    }
    return state.isEmpty() || quarantine.isEmpty()
        ? RemediationJournal.EMPTY
        : RemediationAnnotations.readState(state, quarantine.get().episode(), kinds);
  }

  /** Whether there may be something to do for it. */
  boolean concerns() {
    return quarantine.isPresent() || !state.isEmpty() || !journal.isSettled();
  }

  ApiObject object() {
    return ApiObject.identified("", name, uid, version);
  }

  /** Whether only other parts of the Node differ. */
  boolean isSame(RemediationNodeObject other) {
    return other.uid.equals(uid)
        && other.quarantine.equals(quarantine)
        && other.label.equals(label)
        && other.journal.equals(journal)
        && other.state.equals(state);
  }
}
