package dev.drydock.maintenance.campaign;

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
import dev.drydock.maintenance.decide.campaign.CampaignRecord;
import dev.drydock.maintenance.decide.campaign.CompletedDeparture;
import dev.drydock.maintenance.decide.campaign.Departure;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
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
  private final CampaignMaintenances changes;
  private final CampaignReporter reporter;
  private @Nullable MaintenanceController maintenances;
  private @Nullable DrainEstimates pods;
  private volatile DepartureAnswers answers = DepartureAnswers.UNDECIDED;
  private DepartureLedger.@Nullable LedgerContents contents;
  private volatile boolean doubted;

  /** How often in a row another writer was faster. */
  private int conflicts;

  /**
   * How departures are decided.
   *
   * @param namespace the ledger's namespace
   * @param budgets apply to all campaigns and all classes
   */
  public record Settings(String namespace, List<BudgetLevel> budgets) {}

  /**
   * @param stopped why nothing may start, if the andon cord is pulled
   */
  public CampaignController(Kube kube, Settings settings, Supplier<Optional<String>> stopped) {
    this.kube = kube;
    this.settings = settings;
    this.stopped = stopped;
    ledger = new DepartureLedger(kube.http(), settings.namespace());
    writer = new CampaignWriter(kube);
    loop = kube.loop(LOOP, "", ControlLoop.Debounce.fixed(GATHERED), this::round);
    turns = kube.stepObjects(LOOP);
    changes = new CampaignMaintenances(ledger, writer, turns);
    reporter = new CampaignReporter(writer, turns);
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
    return reporter.samples();
  }

  @Override
  public Optional<String> leave(NotifyMaintenanceObject maintenance) {
    return answers.leave(maintenance, campaigns.state().items());
  }

  @Override
  public boolean confirms(NotifyMaintenanceObject maintenance) {
    boolean confirmed =
        ledger
            .readDeparture(maintenance.facts().node())
            .filter(
                departure ->
                    MaintenanceCampaignObject.entry(departure, campaigns.state().items())
                        .isFor(maintenance.facts()))
            .isPresent();
    if (!confirmed) {
      doubted = true; // another process or a person changed the ledger
      loop.wake();
    }
    return confirmed;
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
      answers = DepartureAnswers.UNDECIDED;
    }
    claimNew();
    DepartureLedger.LedgerContents known = contents == null ? ledger.read() : contents;
    if (lacksNodes(known)) {
      known = ledger.read(); // another process may have recorded them
    }
    if (isIdle(served, known)) {
      contents = known;
      return Instant.MAX;
    }
    CampaignRound round = look(served, known, served.nodes(), now);
    Set<String> unrecorded = recordDone(round.snapshot(), now);
    if (round.changesLedger()) {
      Optional<CampaignRound> written = writeLedger(served, unrecorded, now);
      if (written.isEmpty()) {
        return now.plus(Backoff.DEFAULT.after(++conflicts));
      }
      conflicts = 0;
      round = written.get();
    }
    if (!round.over().isEmpty()) {
      loop.wake(); // the next step fills the room that they leave
    }
    contents = round.snapshot().ledger();
    answer(served, round);
    boolean refused = round.known() && changeMaintenances(round.snapshot(), unrecorded);
    reporter.report(round, now);
    Instant due = round.nextDecision(reporter.due(), now);
    Instant soon = now.plus(Backoff.DEFAULT.after(3));
    return refused && soon.isBefore(due) ? soon : due;
  }

  /** All that are there, as far as they can be read. */
  private List<MaintenanceCampaignObject> present() {
    return writer.latest(campaigns.state().items()).stream()
        .filter(each -> !each.object().deleted())
        .toList();
  }

  /** Before any node leaves: of two operators in two namespaces, one serves a campaign. */
  private void claimNew() {
    for (MaintenanceCampaignObject campaign : present()) {
      if (!campaign.record().isClaimed()) {
        var _ = turns.run(campaign.name(), () -> writer.claim(campaign, settings.namespace()));
      }
    }
  }

  private boolean lacksNodes(DepartureLedger.LedgerContents known) {
    return present().stream().anyMatch(each -> known.lost(each).isPresent());
  }

  /** Whether this operator serves a campaign; if another one does, that is said once. */
  private boolean isServed(
      MaintenanceCampaignObject campaign, DepartureLedger.LedgerContents known) {
    CampaignRecord recorded = known.recordOf(campaign);
    CampaignRecord.Server server =
        recorded.server(settings.namespace(), known.doneBy(campaign).size());
    if (server == CampaignRecord.Server.ANOTHER) {
      writer.servedElsewhere(campaign, recorded.namespace().orElseThrow(), settings.namespace());
    }
    return server == CampaignRecord.Server.THIS;
  }

  /** Returns whether some could not be created. */
  private boolean changeMaintenances(CampaignSnapshot snapshot, Set<String> unrecorded) {
    CampaignMaintenances.Outcome outcome = changes.apply(snapshot, unrecorded);
    outcome
        .newer()
        .ifPresent(
            newer -> {
              contents = newer;
              loop.wake();
            });
    return outcome.refused();
  }

  /** Most clusters have no campaign most of the time, and maintenances without a class. */
  private boolean isIdle(MaintenanceController served, DepartureLedger.LedgerContents known) {
    return campaigns.state().items().isEmpty()
        && campaigns.state().unreadable().isEmpty()
        && known.departures().isEmpty()
        && reporter.samples().isEmpty()
        && served.all().stream().allMatch(seen -> seen.facts().spec().maintenanceClass() == null);
  }

  private CampaignRound look(
      MaintenanceController served,
      DepartureLedger.LedgerContents read,
      List<FleetNode> nodes,
      Instant now) {
    Watch.State<MaintenanceCampaignObject> state = campaigns.state();
    List<MaintenanceCampaignObject> all = new ArrayList<>();
    Set<String> unreadable = new HashSet<>(state.unreadable().keySet());
    unreadable.addAll(served.unreadable());
    for (MaintenanceCampaignObject campaign : present()) {
      if (isServed(campaign, read)) {
        all.add(campaign);
      } else {
        unreadable.add(campaign.name());
      }
    }
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
  private Optional<CampaignRound> writeLedger(
      MaintenanceController served, Set<String> unrecorded, Instant now) {
    DepartureLedger.LedgerContents read = ledger.read();
    List<FleetNode> nodes =
        kube.http()
            .readAll(
                "list of nodes",
                MaintenanceNodeObject.ALL,
                object -> MaintenanceNodeObject.read(object).fleet());
    CampaignRound round = look(served, read, nodes, now);
    unrecorded.addAll(recordDone(round.snapshot(), now));
    List<Departure> over = new ArrayList<>();
    for (Departure departure : round.over(unrecorded)) {
      var _ =
          turns.run(
              departure.by(),
              () -> {
                if (!departure.isSingle() || writer.isGoneOrEnded(departure)) {
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
    return Optional.of(round.after(over, read.after(round.leave(), over)));
  }

  /** Nodes whose answer has changed are reconciled again. */
  private void answer(MaintenanceController served, CampaignRound round) {
    DepartureAnswers before = answers;
    answers =
        new DepartureAnswers(round.snapshot().ledger().departures(), round.singles().refused());
    answers.changedSince(before, round.snapshot().maintenances()).forEach(served::resync);
  }

  /**
   * Records nodes that are done before their maintenance may be deleted.
   *
   * @return campaigns for which that failed
   */
  private Set<String> recordDone(CampaignSnapshot snapshot, Instant now) {
    Set<String> failed = new HashSet<>();
    for (MaintenanceCampaignObject campaign : snapshot.campaigns()) {
      if (!turns.run(campaign.name(), () -> recordDone(snapshot, campaign, now))) {
        failed.add(campaign.name());
      }
    }
    return failed;
  }

  private void recordDone(
      CampaignSnapshot snapshot, MaintenanceCampaignObject campaign, Instant now) {
    Map<String, CompletedDeparture> known = snapshot.ledger().doneBy(campaign);
    if (snapshot.recordLost(campaign).isPresent()) {
      // Its status may be newer than this view: a node must not be counted twice.
      known.putAll(ledger.read().doneBy(campaign));
    }
    snapshot
        .newlyDone(campaign, now)
        .forEach(
            (node, times) -> {
              CompletedDeparture entry = times.after(snapshot.ledger().recordOf(campaign).done());
              ledger.done(campaign, node, entry);
              known.put(node, entry);
              writer.record(campaign, CampaignEvent.NodeDone, "node " + node + " is back");
            });
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
