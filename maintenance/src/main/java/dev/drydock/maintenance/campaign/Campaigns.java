package dev.drydock.maintenance.campaign;

import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.drain.kube.FleetPods;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Bell;
import dev.drydock.kube.CallHook;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Reflector;
import dev.drydock.maintenance.control.Gate;
import dev.drydock.maintenance.control.MaintenanceSeen;
import dev.drydock.maintenance.control.Maintenances;
import dev.drydock.maintenance.control.NodeSeen;
import dev.drydock.maintenance.decide.campaign.BudgetLevel;
import dev.drydock.maintenance.decide.campaign.CampaignDecision;
import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.CampaignPlan;
import dev.drydock.maintenance.decide.campaign.Departure;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import dev.drydock.maintenance.decide.campaign.NodeProgress;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves MaintenanceCampaigns, and decides for every maintenance that has a class when its node may
 * leave. One process of a cluster should at a time; should two, budgets hold all the same.
 */
public final class Campaigns implements Gate, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Campaigns.class);

  private static final int PAGE_SIZE = 500;

  /** Not worth a word: it is decided in a moment. */
  private static final String UNDECIDED = "";

  /** Changes come in flocks, and one look is enough for those that come together. */
  private static final Duration FLOCK = Duration.ofMillis(50);

  private final KubeHttp http;
  private final Settings settings;
  private final Supplier<Optional<String>> stopped;
  private final Clock clock;
  private final Ledger ledger;
  private final CampaignWriter writer;
  private final Reflector<CampaignSeen> campaigns;
  private final Bell bell = new Bell();
  private @Nullable FleetPods pods;
  private volatile Answers answers = new Answers(Map.of(), Map.of());
  private volatile List<CampaignSample> samples = List.of();
  private Ledger.@Nullable Books books;
  private volatile boolean closed;

  /**
   * How nodes are let go.
   *
   * @param namespace where the ledger is
   * @param budgets that hold for all campaigns and all classes
   * @param syncPeriod how often everything is looked at again though nothing seems to have changed
   */
  public record Settings(String namespace, List<BudgetLevel> budgets, Duration syncPeriod) {}

  /** What {@link #leave} answers: nodes that were let go, and why maintenances wait. */
  private record Answers(Map<String, Departure> departures, Map<String, String> refused) {}

  /**
   * @param stopped why everything is to stand still, if so
   */
  public Campaigns(
      KubernetesClient client,
      Settings settings,
      Supplier<Optional<String>> stopped,
      Clock clock,
      CallHook hook) {
    this.settings = settings;
    this.stopped = stopped;
    this.clock = clock;
    http = new KubeHttp(client, hook, PAGE_SIZE);
    ledger = new Ledger(http, settings.namespace());
    writer = new CampaignWriter(http, clock);
    campaigns =
        new Reflector<>(
            http,
            Reflector.Kind.of(CampaignSeen.ALL, CampaignSeen::read),
            new Reflector.Waker<>(bell::ring),
            Backoff.USUAL);
  }

  /** Begins; before the maintenances do, which ask whether nodes may leave. */
  public void serve(Maintenances served) {
    served.onChange(bell::ring);
    campaigns.start();
    Thread.ofVirtual().name("campaigns").start(() -> run(served));
  }

  /** The andon cord may have been pulled or released. */
  public void lookAgain() {
    bell.ring();
  }

  /** For figures. */
  public List<CampaignSample> samples() {
    return samples;
  }

  @Override
  public Optional<String> leave(MaintenanceSeen maintenance) {
    Answers now = answers;
    if (now.departures().containsKey(maintenance.facts().node())) {
      return Optional.empty();
    }
    String by = maintenance.facts().identity().toString();
    return Optional.of(now.refused().getOrDefault(by, UNDECIDED));
  }

  @Override
  public Optional<String> stopped() {
    return stopped.get();
  }

  private void run(Maintenances served) {
    int failures = 0;
    try {
      while (!closed) {
        Duration wait;
        try {
          wait = round(served);
          failures = 0;
        } catch (ApiFailure later) {
          wait = Backoff.USUAL.after(++failures);
          LOG.warn("campaigns: {}; tried again", later.getMessage());
        }
        if (bell.await(wait)) {
          bell.gather(FLOCK);
        }
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      if (!closed) {
        LOG.error("campaigns are served no longer", bug);
      }
    }
  }

  /** How long to wait if nothing happens. */
  private Duration round(Maintenances served) {
    if (!served.isKnown()) {
      return settings.syncPeriod();
    }
    Instant now = clock.instant();
    Ledger.Books known = books == null ? ledger.read() : books;
    if (isIdle(served, known)) {
      books = known;
      return settings.syncPeriod();
    }
    Look look = look(served, known, served.nodes(), now);
    writeDown(look.sight(), now);
    if (look.changesLedger()) {
      Optional<Look> sure = letGo(served, now);
      if (sure.isEmpty()) {
        return Duration.ZERO;
      }
      look = sure.get();
    }
    if (!look.over().isEmpty()) {
      bell.ring(); // the room that they leave is for the next look to fill
    }
    books = look.sight().books();
    answer(served, look);
    boolean refused = look.known() && carryOut(look.sight());
    tell(look, now);
    Duration wait = untilNext(look, now);
    Duration soon = Backoff.USUAL.after(3);
    return refused && soon.compareTo(wait) < 0 ? soon : wait;
  }

  /** Most clusters have no campaign most of the time, and maintenances without a class. */
  private boolean isIdle(Maintenances served, Ledger.Books known) {
    return campaigns.state().items().isEmpty()
        && known.departures().isEmpty()
        && samples.isEmpty()
        && served.all().stream().allMatch(seen -> seen.facts().spec().maintenanceClass() == null);
  }

  private Look look(Maintenances served, Ledger.Books read, List<FleetNode> nodes, Instant now) {
    Reflector.State<CampaignSeen> state = campaigns.state();
    List<CampaignSeen> all = state.items().stream().filter(each -> !each.deleted()).toList();
    Optional<FleetPods> loads = pods(all);
    boolean known = state.unsynced().isEmpty() && loads.flatMap(FleetPods::unknown).isEmpty();
    Optional<String> cord = stopped.get();
    Sight sight =
        new Sight(
            known ? all : List.of(),
            served.all(),
            nodes,
            served.classes(),
            read,
            loads,
            settings.budgets(),
            cord);
    return Look.of(sight, known, now);
  }

  /** Looks again past all caches and writes it down; empty if somebody else just did. */
  private Optional<Look> letGo(Maintenances served, Instant now) {
    Ledger.Books read = ledger.read();
    List<FleetNode> nodes = new ArrayList<>();
    var _ =
        http.list(NodeSeen.ALL, object -> nodes.add(NodeSeen.read(object).fleet()))
            .orThrow("list of nodes");
    Look look = look(served, read, nodes, now);
    writeDown(look.sight(), now);
    List<Departure> over =
        look.over().stream()
            .filter(departure -> !departure.isSingle() || writer.isGoneOrEnded(departure.by()))
            .toList();
    if (look.leave().isEmpty() && over.isEmpty()) {
      return Optional.of(look);
    }
    if (!ledger.write(read, look.leave(), over)) {
      LOG.info("somebody else wrote to the ledger meanwhile; looking again");
      return Optional.empty();
    }
    Map<String, Departure> departures = new HashMap<>(read.departures());
    over.forEach(departure -> departures.remove(departure.node()));
    look.leave().forEach(departure -> departures.put(departure.node(), departure));
    Ledger.Books after = new Ledger.Books(read.version(), departures, read.done());
    return Optional.of(look.after(over, after));
  }

  /** Lanes whose answer is another one now look again. */
  private void answer(Maintenances served, Look look) {
    Answers before = answers;
    Map<String, Departure> departures = look.sight().books().departures();
    answers = new Answers(departures, look.singles().refused());
    Set<String> concerned = new HashSet<>(departures.keySet());
    concerned.removeAll(before.departures().keySet());
    for (MaintenanceSeen seen : look.sight().maintenances()) {
      String by = seen.facts().identity().toString();
      String why = look.singles().refused().get(by);
      if (why != null && !why.equals(before.refused().get(by))) {
        concerned.add(seen.facts().node());
      }
    }
    concerned.forEach(served::lookAgain);
  }

  /** Nodes that are done are written down before their maintenance may vanish. */
  private void writeDown(Sight sight, Instant now) {
    for (CampaignSeen campaign : sight.campaigns()) {
      Map<String, Ledger.Done> done = sight.books().doneBy(campaign.name());
      for (MaintenanceSeen seen : sight.of(campaign)) {
        String node = seen.facts().node();
        boolean isNew = Progress.isEnded(seen.facts()) && Progress.isProved(seen.facts());
        if (isNew && !done.containsKey(node)) {
          Ledger.Done times = new Ledger.Done(sight.leftAt(seen), now);
          ledger.done(campaign, node, times);
          done.put(node, times);
          writer.tell(campaign, CampaignEvent.NodeDone, "node " + node + " is back");
        }
      }
    }
  }

  /** Creates and lets go of maintenances; whether some could not be created. */
  private boolean carryOut(Sight sight) {
    List<Departure> missing =
        sight.books().departures().values().stream()
            .filter(departure -> !departure.isSingle() && sight.maintenanceOf(departure).isEmpty())
            .toList();
    boolean refused = false;
    if (!missing.isEmpty()) {
      // An entry goes before its maintenance does. So one that is still there after its maintenance
      // was not to be seen is one whose maintenance was not made yet.
      Map<String, Departure> now = ledger.read().departures();
      for (Departure departure : missing) {
        Optional<CampaignSeen> campaign = sight.campaign(departure.by());
        Departure still = now.get(departure.node());
        if (campaign.isPresent() && still != null && still.by().equals(departure.by())) {
          refused |= !writer.create(campaign.get(), departure.node());
        }
      }
    }
    for (MaintenanceSeen seen : sight.maintenances()) {
      boolean kept = seen.finalizers().contains(CampaignNames.FINALIZER);
      boolean entered = sight.books().departures().containsKey(seen.facts().node());
      if (kept && !entered && Progress.isEnded(seen.facts())) {
        writer.release(seen);
      }
    }
    return refused;
  }

  private void tell(Look look, Instant now) {
    Sight sight = look.sight();
    CampaignFacts facts = sight.facts(now);
    List<CampaignSample> told = new ArrayList<>();
    for (CampaignDecision decision : look.decisions()) {
      CampaignSeen campaign = sight.campaign(decision.campaign()).orElseThrow();
      if (!decision.start().isEmpty()) {
        String who = "leaving: " + String.join(", ", decision.start());
        writer.tell(campaign, CampaignEvent.NodesLeave, who);
        LOG.info("campaign {}: {}", campaign.name(), who);
      }
      CampaignStatus status = new CampaignStatus(campaign, decision, now);
      Map<String, NodeProgress> progress = facts.progress(campaign.name());
      progress.replaceAll((node, made) -> made.or(writer.refusal(campaign.name(), node)));
      writer.write(campaign, status.of(progress, eta(facts, decision, sight, now)));
      told.add(CampaignSample.of(decision, facts));
    }
    samples = told;
  }

  private static Optional<Instant> eta(
      CampaignFacts facts, CampaignDecision decision, Sight sight, Instant now) {
    boolean moves =
        switch (decision.phase()) {
          case Running, Waiting -> true;
          case Invalid, AwaitingApproval, Paused, Halted, Stopped, Completed, Incomplete -> false;
        };
    return moves
        ? CampaignPlan.of(facts, decision.campaign(), sight.workTime(decision.campaign()), now)
            .end()
        : Optional.empty();
  }

  private Duration untilNext(Look look, Instant now) {
    return look.decisions().stream()
        .flatMap(decision -> decision.wakeAt().stream())
        .map(at -> Duration.between(now, at))
        .filter(Duration::isPositive)
        .min(Duration::compareTo)
        .filter(wait -> wait.compareTo(settings.syncPeriod()) < 0)
        .orElse(settings.syncPeriod());
  }

  /** Pods are watched only while a campaign's order depends on them. */
  private Optional<FleetPods> pods(List<CampaignSeen> all) {
    if (all.stream().noneMatch(CampaignSeen::needsPods)) {
      closePods();
      return Optional.empty();
    }
    if (pods == null) {
      pods = new FleetPods(http, bell::ring);
      pods.start();
    }
    return Optional.of(pods);
  }

  private void closePods() {
    FleetPods watched = pods;
    pods = null;
    if (watched != null) {
      watched.close();
    }
  }

  /** Ends where it is, without a further write; whoever starts next goes on. */
  @Override
  public void close() {
    closed = true;
    bell.ring();
    campaigns.close();
    closePods();
    http.close();
  }
}
