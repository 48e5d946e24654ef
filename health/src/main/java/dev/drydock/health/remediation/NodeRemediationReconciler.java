package dev.drydock.health.remediation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.decide.StateLabel;
import dev.drydock.health.remediation.decide.MaintenanceReference;
import dev.drydock.health.remediation.decide.RemediationAttempt;
import dev.drydock.health.remediation.decide.RemediationDecider;
import dev.drydock.health.remediation.decide.RemediationDocument;
import dev.drydock.health.remediation.decide.RemediationFacts;
import dev.drydock.health.remediation.decide.RemediationJournal;
import dev.drydock.health.remediation.decide.RemediationNote;
import dev.drydock.health.remediation.decide.RemediationStep;
import dev.drydock.health.remediation.decide.ResourceProgress;
import dev.drydock.health.resource.ResourceTemplateInvalid;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.ExpectedFailure;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Remedies the failures of one node; the only writer of what is known about that on the Node. */
final class NodeRemediationReconciler implements ControlLoops.Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRemediationReconciler.class);

  /** More steps in a row mean that something goes round in circles. */
  private static final int MOST_STEPS = 100;

  private final String name;
  private final RemediationContext context;
  private final RemediationNotes notes;
  private String waitsFor = "";

  NodeRemediationReconciler(String name, RemediationContext context) {
    this.name = name;
    this.context = context;
    notes = new RemediationNotes(context.kube().events());
  }

  @Override
  public Optional<Instant> step() {
    Optional<DrainedDocuments> documents = context.documents().get();
    if (!context.nodes().isListed() || documents.isEmpty()) {
      return Optional.of(Instant.MAX); // woken when they are
    }
    for (int i = 0; i < MOST_STEPS; i++) {
      Optional<RemediationNodeObject> node = context.node(name);
      if (node.isEmpty() || !node.get().concerns()) {
        return Optional.empty();
      }
      RemediationFacts facts = facts(node.get(), documents.get());
      RemediationStep step = context.decider().decide(facts);
      if (step instanceof RemediationStep.Wait wait) {
        return waiting(node.get(), wait);
      }
      if (context.options().dryRun()) {
        LOG.info("dry run: node {}: {}", name, step);
        return Optional.of(Instant.MAX);
      }
      if (!carryOut(node.get(), facts, step, documents.get())) {
        return Optional.of(Instant.MAX); // woken by what it has changed
      }
    }
    throw new IllegalStateException("remediation of node " + name + " does not come to an end");
  }

  private Instant now() {
    return context.kube().clock().instant();
  }

  /** What the original left on a node that is in no quarantine any more goes. */
  private Optional<Instant> waiting(RemediationNodeObject node, RemediationStep.Wait wait) {
    boolean stale = node.quarantine().isEmpty() && !node.state().isEmpty();
    if (stale && !context.options().dryRun()) {
      var _ = write(node, node.journal(), Optional.empty());
    }
    if (!wait.why().equals(waitsFor)) {
      waitsFor = wait.why();
      LOG.info("node {} waits for {}", name, waitsFor.isEmpty() ? "nothing" : waitsFor);
    }
    boolean over = node.quarantine().isEmpty() && node.journal().isSettled();
    return over ? Optional.empty() : Optional.of(wait.until().orElse(Instant.MAX));
  }

  private RemediationFacts facts(RemediationNodeObject node, DrainedDocuments documents) {
    Map<MaintenanceReference, ResourceProgress> progress = new HashMap<>();
    for (RemediationAttempt attempt : node.journal().open()) {
      progress.put(attempt.resource(), context.resources().progress(node, attempt.resource()));
    }
    Set<String> cancelled = new HashSet<>();
    String present = node.quarantine().map(Quarantine::episode).orElse("");
    node.journal().attempts().stream()
        .filter(attempt -> attempt.outcome().isEmpty() && !attempt.episode().equals(present))
        .map(RemediationAttempt::episode)
        .distinct()
        .filter(episode -> documents.isCancelled(episode).orElse(node.byHand()))
        .forEach(cancelled::add);
    return new RemediationFacts(
        name,
        node.quarantine(),
        node.label(),
        node.journal(),
        node.quarantine().map(one -> documents.of(name, one)).orElse(List.of()),
        progress,
        cancelled,
        context.stopped().get(),
        now());
  }

  /** Whether to decide again at once. */
  private boolean carryOut(
      RemediationNodeObject node,
      RemediationFacts facts,
      RemediationStep step,
      DrainedDocuments documents) {
    switch (step) {
      case RemediationStep.Wait _ -> throw new IllegalStateException("nothing to carry out");
      case RemediationStep.Write entry -> record(node, entry);
      case RemediationStep.Make make -> make(make);
      case RemediationStep.Withdraw(RemediationAttempt attempt) -> {
        LOG.info("node {}: {} is not needed any more", name, attempt.resource());
        context.resources().withdraw(node, attempt.resource());
        return false;
      }
      case RemediationStep.Conclude conclude -> {
        documents.conclude(conclude.verdicts(), now());
        conclude(node, facts, conclude);
      }
    }
    return true;
  }

  private void record(RemediationNodeObject node, RemediationStep.Write entry) {
    if (write(node, entry.journal(), entry.label()).isEmpty()) {
      return; // it was changed meanwhile, and has been read again
    }
    for (RemediationNote note : entry.notes()) {
      LOG.info("node {}: {}", name, RemediationNotes.text(note));
      notes.record(node, note);
      context.metrics().noted(note);
    }
    for (RemediationAttempt attempt : entry.journal().open()) {
      boolean before =
          node.journal().open().stream()
              .anyMatch(each -> each.resource().equals(attempt.resource()) && each.unserved());
      if (before != attempt.unserved()) {
        context.resources().sayServed(node, attempt.resource(), !attempt.unserved());
      }
    }
  }

  /** Empty after a conflict; then the Node was read again. */
  private Optional<RemediationNodeObject> write(
      RemediationNodeObject node, RemediationJournal journal, Optional<StateLabel> label) {
    Patch patch =
        Patch.ifUnchanged(Resource.NODES, node.object())
            .annotation(
                RemediationNames.JOURNAL, RemediationAnnotations.journal(journal).orElse(null))
            .annotation(
                RemediationNames.STATE,
                RemediationAnnotations.state(journal, node.quarantine().map(Quarantine::episode))
                    .orElse(null));
    label.ifPresent(value -> patch.label(HealthNames.STATE_LABEL, value.word()));
    Optional<JsonNode> written = patch.sendUnlessConflict(context.kube().http());
    if (written.isEmpty()) {
      var _ = read();
      return Optional.empty();
    }
    Optional<StateLabel> before = StateLabel.find(node.label());
    if (label.isPresent() && !StateLabel.isExpected(before, label)) {
      context.metrics().stateChanges().unexpected(before, label);
    }
    return Optional.of(parsed(written.get()));
  }

  private Optional<RemediationNodeObject> read() {
    return context.kube().http().find(Resource.NODES, "", name).map(this::parsed);
  }

  private RemediationNodeObject parsed(JsonNode node) {
    return context.latest().wrote(name, RemediationNodeObject.read(node, context.config().kinds()));
  }

  /** The last check before anything is done to the node: it is still in this quarantine. */
  private void make(RemediationStep.Make make) {
    RemediationAttempt attempt = make.attempt();
    Optional<RemediationNodeObject> node =
        read()
            .filter(
                one ->
                    one.quarantine()
                        .filter(present -> present.episode().equals(attempt.episode()))
                        .filter(present -> present.tracksPartOf(make.event()))
                        .isPresent())
            .filter(one -> one.journal().open().contains(attempt));
    if (node.isEmpty()) {
      return; // decided again by what was read
    }
    Instant begun = now();
    try {
      context
          .resources()
          .make(
              node.get(),
              attempt.resource(),
              context.render(attempt, make.action(), make.event()).body());
    } catch (ResourceTemplateInvalid invalid) {
      throw impossible(node.get(), attempt, invalid);
    } catch (ApiFailure failure) {
      throw failure.isRetriable() ? failure : impossible(node.get(), attempt, failure);
    }
    context.metrics().made(Duration.between(begun, now()));
    record(node.get(), RemediationDecider.made(node.get().journal(), attempt));
  }

  /** It is tried again, but is shown as failed until it works. The attempt is counted once. */
  private ExpectedFailure impossible(
      RemediationNodeObject node, RemediationAttempt attempt, ExpectedFailure why) {
    context.schemas().forget(); // the CRD may have changed since its schema was read
    RemediationAttempt failing = attempt.withProblem(why.getMessage());
    if (!failing.equals(attempt)) {
      Optional<RemediationNodeObject> written =
          write(
              node,
              node.journal().changed(attempt, _ -> failing),
              Optional.of(StateLabel.REMEDIATION_FAILED));
      written.ifPresent(
          _ -> {
            notes.problem(node, attempt, why.getMessage());
            context.metrics().failed("cr_not_created");
          });
    }
    return why;
  }

  private void conclude(
      RemediationNodeObject node, RemediationFacts facts, RemediationStep.Conclude conclude) {
    for (RemediationDocument document : facts.documents()) {
      Optional<RemediationStep.Refusal> refusal =
          conclude.verdicts().getOrDefault(document.id(), Optional.empty());
      if (refusal.isPresent()) {
        LOG.warn("node {}: nothing is done about event {}: {}", name, document.id(), refusal.get());
        context.metrics().refused(refusal.get(), document.event().effectiveAction());
        notes.refused(node, document, refusal.get());
      } else if (conclude.verdicts().containsKey(document.id())) {
        context.metrics().processed(Duration.between(document.created(), now()));
      }
    }
  }
}
