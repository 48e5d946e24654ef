package dev.drydock.maintenance.campaign;

import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.drain.engine.DrainEstimates;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.StepObjects;
import dev.drydock.kube.Watch;
import dev.drydock.maintenance.control.DeparturePermission;
import dev.drydock.maintenance.control.MaintenanceController;
import dev.drydock.maintenance.control.MaintenanceNodeObject;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.BudgetLevel;
import dev.drydock.maintenance.decide.campaign.CampaignDecision;
import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.Departure;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import dev.drydock.maintenance.decide.campaign.NodeProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves MaintenanceCampaigns, and decides for every maintenance that has a class when its node may
 * leave. Run one instance per cluster; budgets also hold if two run.
 */
public final class CampaignController implements DeparturePermission, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CampaignController.class);

  /**
   * The name of the control loop that serves all campaigns, because they share nodes and budgets.
   */
  public static final String LOOP = "campaigns";

  /** Shown as no reason: the decision follows at once. */
  private static final String UNDECIDED = "";

  /** Changes within this time are handled by one decision. */
  private static final Duration GATHERED = Duration.ofMillis(50);

  private final Kube kube;
  private final Settings settings;
  private final Supplier<Optional<String>> stopped;
  private final DepartureLedger ledger;
  private final CampaignWriter writer;
  private final Watch<MaintenanceCampaignObject> campaigns;
  private final ControlLoop loop;
  private final StepObjects turns;
  private final CampaignEnds ends = new CampaignEnds();
  private @Nullable MaintenanceController maintenances;
  private @Nullable DrainEstimates pods;
  private volatile Answers answers = new Answers(Map.of(), Map.of());
  private volatile List<CampaignSample> samples = List.of();
  private DepartureLedger.@Nullable LedgerContents contents;
  private volatile boolean doubted;

  /**
   * How departures are decided.
   *
   * @param namespace the ledger's namespace
   * @param budgets apply to all campaigns and all classes
   */
  public record Settings(String namespace, List<BudgetLevel> budgets) {}

  /** What {@link #leave} answers: granted departures, and why maintenances wait. */
  private record Answers(Map<String, Departure> departures, Map<String, String> refused) {}

  /**
   * @param stopped why nothing may start, if the andon cord is pulled
   */
  public CampaignController(Kube kube, Settings settings, Supplier<Optional<String>> stopped) {
    this.kube = kube;
    this.settings = settings;
    this.stopped = stopped;
    ledger = new DepartureLedger(kube.http(), settings.namespace());
    writer = new CampaignWriter(kube);
    loop = kube.loop(LOOP, "", ControlLoop.Gather.fixed(GATHERED), this::round);
    turns = kube.parts(LOOP);
    campaigns =
        kube.watches()
            .of(
                Watch.Kind.of(MaintenanceCampaignObject.ALL, MaintenanceCampaignObject::read)
                    .reportingUnreadable(MaintenanceCampaignObject.RESOURCE),
                Watch.Listener.waking(loop::wake));
  }

  /** Begins; before the maintenances do, which ask whether nodes may leave. */
  public void serve(MaintenanceController served) {
    maintenances = served;
    served.onChange(loop::wake);
    campaigns.start();
  }

  /** The andon cord may have been pulled or released. */
  public void resync() {
    loop.wake();
  }

  /** For figures. */
  public List<CampaignSample> samples() {
    return samples;
  }

  @Override
  public Optional<String> leave(NotifyMaintenanceObject maintenance) {
    Answers now = answers;
    Departure departure = now.departures().get(maintenance.facts().node());
    if (departure != null) {
      return isFor(departure, maintenance)
          ? Optional.empty()
          : Optional.of(
              "its turn on node %s: %s".formatted(departure.node(), departure.describe()));
    }
    String by = maintenance.facts().identity().toString();
    return Optional.of(now.refused().getOrDefault(by, UNDECIDED));
  }

  @Override
  public boolean confirms(NotifyMaintenanceObject maintenance) {
    boolean confirmed =
        ledger
            .readDeparture(maintenance.facts().node())
            .filter(departure -> isFor(departure, maintenance))
            .isPresent();
    if (!confirmed) {
      doubted = true; // another process or a person changed the ledger
      loop.wake();
    }
    return confirmed;
  }

  private boolean isFor(Departure departure, NotifyMaintenanceObject maintenance) {
    return CampaignSnapshot.isFor(departure, maintenance, campaigns.state().items());
  }

  @Override
  public Optional<String> stopped() {
    return stopped.get();
  }

  private Instant round() {
    MaintenanceController served = Objects.requireNonNull(maintenances);
    Instant now = kube.clock().instant();
    return served.isKnown() ? turns.done(round(served, now)) : Instant.MAX;
  }

  /** When to look again if nothing happens. */
  private Instant round(MaintenanceController served, Instant now) {
    if (doubted) {
      doubted = false;
      contents = null;
      answers = new Answers(Map.of(), Map.of());
    }
    DepartureLedger.LedgerContents known = contents == null ? ledger.read() : contents;
    if (isIdle(served, known)) {
      contents = known;
      return Instant.MAX;
    }
    CampaignRound round = look(served, known, served.nodes(), now);
    Set<String> unwritten = writeDown(round.snapshot(), now);
    if (round.changesLedger()) {
      Optional<CampaignRound> sure = letGo(served, unwritten, now);
      if (sure.isEmpty()) {
        return now;
      }
      round = sure.get();
    }
    if (!round.over().isEmpty()) {
      loop.wake(); // the room that they leave is for the next look to fill
    }
    contents = round.snapshot().ledger();
    answer(served, round);
    boolean refused = round.known() && carryOut(round.snapshot(), unwritten);
    record(round, now);
    Instant due = nextDecision(round, now);
    Instant soon = now.plus(Backoff.DEFAULT.after(3));
    return refused && soon.isBefore(due) ? soon : due;
  }

  /** Most clusters have no campaign most of the time, and maintenances without a class. */
  private boolean isIdle(MaintenanceController served, DepartureLedger.LedgerContents known) {
    return campaigns.state().items().isEmpty()
        && campaigns.state().unreadable().isEmpty()
        && known.departures().isEmpty()
        && samples.isEmpty()
        && served.all().stream().allMatch(seen -> seen.facts().spec().maintenanceClass() == null);
  }

  private CampaignRound look(
      MaintenanceController served,
      DepartureLedger.LedgerContents read,
      List<FleetNode> nodes,
      Instant now) {
    Watch.State<MaintenanceCampaignObject> state = campaigns.state();
    List<MaintenanceCampaignObject> all =
        writer.latest(state.items()).stream().filter(each -> !each.object().deleted()).toList();
    Set<String> unreadable = new HashSet<>(state.unreadable().keySet());
    unreadable.addAll(served.unreadable());
    Optional<DrainEstimates> loads = pods(all);
    boolean known = state.unsynced().isEmpty() && loads.flatMap(DrainEstimates::unknown).isEmpty();
    CampaignSnapshot snapshot =
        new CampaignSnapshot(
            known ? all : List.of(),
            served.all(),
            nodes,
            served.classes(),
            read,
            loads,
            settings.budgets(),
            stopped.get(),
            unreadable);
    return CampaignRound.of(snapshot, known, now, turns);
  }

  /** Decides again on fresh reads and writes the ledger; empty on a conflict. */
  private Optional<CampaignRound> letGo(
      MaintenanceController served, Set<String> unwritten, Instant now) {
    DepartureLedger.LedgerContents read = ledger.read();
    List<FleetNode> nodes =
        kube.http()
            .readAll(
                "list of nodes",
                MaintenanceNodeObject.ALL,
                object -> MaintenanceNodeObject.read(object).fleet());
    CampaignRound round = look(served, read, nodes, now);
    unwritten.addAll(writeDown(round.snapshot(), now));
    List<Departure> over = new ArrayList<>();
    for (Departure departure : round.over()) {
      var _ =
          turns.run(
              departure.by(),
              () -> {
                boolean sure =
                    departure.isSingle()
                        ? writer.isGoneOrEnded(departure)
                        : !unwritten.contains(departure.by());
                if (sure) {
                  over.add(departure);
                }
              });
    }
    if (round.leave().isEmpty() && over.isEmpty()) {
      return Optional.of(round);
    }
    if (!ledger.write(read, round.leave(), over)) {
      LOG.info("the ledger was changed by another writer; deciding again");
      return Optional.empty();
    }
    Map<String, Departure> departures = new HashMap<>(read.departures());
    over.forEach(departure -> departures.remove(departure.node()));
    round.leave().forEach(departure -> departures.put(departure.node(), departure));
    DepartureLedger.LedgerContents after =
        new DepartureLedger.LedgerContents(read.version(), departures, read.done());
    return Optional.of(round.after(over, after));
  }

  /** Nodes whose answer has changed are reconciled again. */
  private void answer(MaintenanceController served, CampaignRound round) {
    Answers before = answers;
    Map<String, Departure> departures = round.snapshot().ledger().departures();
    answers = new Answers(departures, round.singles().refused());
    Set<String> concerned = new HashSet<>();
    departures.forEach(
        (node, departure) -> {
          if (!departure.equals(before.departures().get(node))) {
            concerned.add(node);
          }
        });
    for (NotifyMaintenanceObject seen : round.snapshot().maintenances()) {
      String by = seen.facts().identity().toString();
      String why = round.singles().refused().get(by);
      if (why != null && !why.equals(before.refused().get(by))) {
        concerned.add(seen.facts().node());
      }
    }
    concerned.forEach(served::resync);
  }

  /**
   * Records nodes that are done before their maintenance may be deleted.
   *
   * @return campaigns for which that failed
   */
  private Set<String> writeDown(CampaignSnapshot snapshot, Instant now) {
    Set<String> failed = new HashSet<>();
    for (MaintenanceCampaignObject campaign : snapshot.campaigns()) {
      if (!turns.run(campaign.name(), () -> writeDown(snapshot, campaign, now))) {
        failed.add(campaign.name());
      }
    }
    return failed;
  }

  private void writeDown(
      CampaignSnapshot snapshot, MaintenanceCampaignObject campaign, Instant now) {
    Map<String, DepartureLedger.Done> done = snapshot.ledger().doneBy(campaign);
    for (NotifyMaintenanceObject seen : snapshot.of(campaign)) {
      String node = seen.facts().node();
      boolean isNew =
          NodeProgressReader.isEnded(seen.facts()) && NodeProgressReader.isProved(seen.facts());
      if (isNew && !done.containsKey(node)) {
        DepartureLedger.Done times = new DepartureLedger.Done(snapshot.leftAt(seen), now);
        ledger.done(campaign, node, times);
        done.put(node, times);
        writer.record(campaign, CampaignEvent.NodeDone, "node " + node + " is back");
      }
    }
  }

  /**
   * Creates and releases maintenances by the ledger as it is now, because another process may have
   * written to it. Returns whether some could not be created.
   */
  private boolean carryOut(CampaignSnapshot snapshot, Set<String> unwritten) {
    List<Departure> missing =
        snapshot.ledger().departures().values().stream()
            .filter(
                departure -> !departure.isSingle() && snapshot.maintenancesOf(departure).isEmpty())
            .toList();
    List<NotifyMaintenanceObject> ended =
        snapshot.maintenances().stream()
            .filter(seen -> isToBeReleased(snapshot, seen, unwritten))
            .toList();
    boolean refused = false;
    if (!missing.isEmpty() || !ended.isEmpty()) {
      DepartureLedger.LedgerContents now = ledger.read();
      refused = create(snapshot, missing, now);
      release(ended, now);
    }
    for (NotifyMaintenanceObject seen : snapshot.maintenances()) {
      boolean tooMany = !seen.facts().state().hasBegun() && !seen.facts().deleted();
      if (tooMany && snapshot.isDone(seen)) {
        var _ = turns.run(seen.toString(), () -> writer.takeBack(seen));
      }
    }
    return refused;
  }

  private static boolean isToBeReleased(
      CampaignSnapshot snapshot, NotifyMaintenanceObject seen, Set<String> unwritten) {
    boolean written =
        snapshot
            .campaignOf(seen)
            .map(MaintenanceCampaignObject::name)
            .filter(unwritten::contains)
            .isEmpty();
    return written
        && seen.object().hasFinalizer(CampaignNames.FINALIZER)
        && NodeProgressReader.isEnded(seen.facts());
  }

  /**
   * An entry goes before its maintenance does. So one that is still there after its maintenance was
   * not to be seen is one whose maintenance was not made yet; should another process have made and
   * ended it, the node is done.
   */
  private boolean create(
      CampaignSnapshot snapshot, List<Departure> missing, DepartureLedger.LedgerContents now) {
    Set<String> refused = new HashSet<>();
    for (Departure departure : missing) {
      Optional<MaintenanceCampaignObject> campaign = snapshot.campaign(departure);
      Departure still = now.departures().get(departure.node());
      boolean due = still != null && still.uid().equals(departure.uid()) && !now.isDone(departure);
      if (!due) {
        lookAgainAt(now);
      } else if (campaign.isPresent()) {
        var _ =
            turns.run(
                departure.by(),
                () -> {
                  if (!writer.create(campaign.get(), departure.node())) {
                    refused.add(departure.node());
                  }
                });
      }
    }
    return !refused.isEmpty();
  }

  private void release(List<NotifyMaintenanceObject> ended, DepartureLedger.LedgerContents now) {
    for (NotifyMaintenanceObject seen : ended) {
      Departure entry = now.departures().get(seen.facts().node());
      if (entry != null && isFor(entry, seen)) {
        lookAgainAt(now);
      } else {
        var _ = turns.run(seen.toString(), () -> writer.release(seen));
      }
    }
  }

  /** Another process wrote what this one did not know. */
  private void lookAgainAt(DepartureLedger.LedgerContents now) {
    contents = now;
    loop.wake();
  }

  private void record(CampaignRound round, Instant now) {
    CampaignFacts facts = round.snapshot().facts(now, turns);
    // One that could not be decided about would spoil the forecast of all.
    Set<String> decided =
        round.decisions().stream().map(CampaignDecision::campaign).collect(Collectors.toSet());
    var _ =
        turns.run("forecast of all", () -> ends.update(facts.only(decided), moving(round), now));
    List<CampaignSample> told = new ArrayList<>();
    for (CampaignDecision decision : round.decisions()) {
      var _ =
          turns.run(
              decision.campaign(),
              () -> {
                record(round.snapshot(), decision, facts, now);
                told.add(CampaignSample.of(decision, facts));
              });
    }
    samples = told;
  }

  private void record(
      CampaignSnapshot snapshot, CampaignDecision decision, CampaignFacts facts, Instant now) {
    MaintenanceCampaignObject campaign = snapshot.campaign(decision.campaign()).orElseThrow();
    if (!decision.start().isEmpty()) {
      String who = "leaving: " + String.join(", ", decision.start());
      writer.record(campaign, CampaignEvent.NodesLeave, who);
      LOG.info("campaign {}: {}", campaign.name(), who);
    }
    CampaignStatus status = new CampaignStatus(campaign, decision, now);
    Map<String, NodeProgress> progress = facts.progress(campaign.name());
    progress.replaceAll((node, made) -> made.or(writer.refusal(campaign, node)));
    Optional<Instant> end = moves(decision) ? ends.of(campaign.name()) : Optional.empty();
    writer.write(campaign, status.of(progress, end));
  }

  /** Campaigns that have an end to be forecast, and how long their nodes take. */
  private static Map<String, Duration> moving(CampaignRound round) {
    Map<String, Duration> work = new HashMap<>();
    round.decisions().stream()
        .filter(CampaignController::moves)
        .map(CampaignDecision::campaign)
        .forEach(name -> work.put(name, round.snapshot().workTime(name)));
    return work;
  }

  private static boolean moves(CampaignDecision decision) {
    return switch (decision.phase()) {
      case Running, Waiting -> true;
      case Invalid, AwaitingApproval, Paused, Halted, Stopped, Completed, Incomplete -> false;
    };
  }

  private Instant nextDecision(CampaignRound round, Instant now) {
    return Stream.concat(
            ends.due().stream(),
            round.decisions().stream().flatMap(decision -> decision.wakeAt().stream()))
        .filter(at -> at.isAfter(now))
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  /** Pods are watched only while a campaign's order depends on them. */
  private Optional<DrainEstimates> pods(List<MaintenanceCampaignObject> all) {
    if (all.stream().noneMatch(MaintenanceCampaignObject::needsPods)) {
      closePods();
      return Optional.empty();
    }
    if (pods == null) {
      pods = new DrainEstimates(kube, loop::wake);
      pods.start();
    }
    return Optional.of(pods);
  }

  private void closePods() {
    DrainEstimates watched = pods;
    pods = null;
    if (watched != null) {
      watched.close();
    }
  }

  /** Stops without a further write; the next process continues. */
  @Override
  public void close() {
    loop.close();
    turns.close();
    campaigns.close();
    closePods();
  }
}
