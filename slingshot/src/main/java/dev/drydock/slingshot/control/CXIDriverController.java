package dev.drydock.slingshot.control;

import dev.drydock.contracts.cxi.CXIDriverSpec;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions.Condition;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Kube;
import dev.drydock.kube.StepObjects;
import dev.drydock.kube.Typed;
import dev.drydock.slingshot.decide.ActiveDriver;
import dev.drydock.slingshot.decide.DriverIdentity;
import dev.drydock.slingshot.decide.DriverStatusDecision;
import dev.drydock.slingshot.decide.EffectiveSpec;
import dev.drydock.slingshot.decide.OriginalImages;
import dev.drydock.slingshot.decide.RolloutPlan;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the active CXIDriver of a cluster: what runs on its nodes, and roll-outs of new drivers.
 * Run one instance per cluster. All state is in the cluster, so that whoever takes over continues.
 */
public final class CXIDriverController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CXIDriverController.class);

  /** Roll-outs of a thousand nodes change many objects at once; one look is enough for them. */
  private static final Duration GATHERED = Duration.ofMillis(100);

  private static final String LOOP = "cxi-driver";
  private static final Duration RETRY = Duration.ofSeconds(30);

  private final Settings settings;
  private final Clock clock;
  private final CxiCaches caches;
  private final CxiWriter writer;
  private final NodeComponents components;
  private final DriverRollout rollout;
  private final CrashQuarantine quarantine;
  private final ControlLoop loop;
  private final StepObjects turns;

  /**
   * What the controller has to know.
   *
   * @param namespace of the operator; what runs on nodes is there, too
   * @param service through which API servers ask for sidecars
   * @param validator the webhook configuration that the operator's CA is written to
   */
  public record Settings(
      String namespace, OriginalImages images, String service, String validator) {}

  /**
   * @param stopped why nothing new may begin, if the andon cord is pulled
   */
  public CXIDriverController(Kube kube, Settings settings, Supplier<Optional<String>> stopped) {
    this.settings = settings;
    clock = kube.clock();
    loop = kube.loop(LOOP, "", ControlLoop.Debounce.fixed(GATHERED), this::step);
    turns = kube.stepObjects(LOOP);
    caches = new CxiCaches(kube, settings.namespace(), settings.validator(), loop::wake);
    writer = new CxiWriter(kube, caches);
    components = new NodeComponents(caches, writer, settings);
    rollout = new DriverRollout(caches, writer, turns, stopped);
    quarantine = new CrashQuarantine(caches, writer, turns, stopped);
  }

  public void start() {
    caches.start();
  }

  /** Looks again, although nothing has changed. */
  public void wake() {
    loop.wake();
  }

  private Instant step() {
    if (caches.unsynced().isPresent()) {
      return Instant.MAX; // woken when it is known again
    }
    List<ApiObject> drivers = caches.drivers.all();
    Optional<ApiObject> map = caches.singleton.all().stream().findFirst();
    String recorded =
        map.map(each -> Fields.text(each.root().path("data"), CxiNames.ACTIVE_KEY)).orElse("");
    Optional<String> active =
        ActiveDriver.of(
            recorded,
            drivers.stream()
                .map(
                    each -> new ActiveDriver.Candidate(each.name(), each.created(), each.deleted()))
                .toList());
    if (!active.orElse("").equals(recorded)) {
      writer.recordActive(settings.namespace(), map, active.orElse(""));
      LOG.info("the active CXIDriver is now {}", active.orElse("none"));
    }
    Instant next = Instant.MAX;
    List<ApiObject> leaving =
        drivers.stream()
            .filter(each -> each.deleted() && each.hasFinalizer(CxiNames.FINALIZER))
            .toList();
    for (ApiObject driver : leaving) {
      next = earlier(next, turn(driver, () -> finish(driver)));
    }
    for (ApiObject driver : drivers) {
      if (active.filter(driver.name()::equals).isPresent()) {
        next = earlier(next, turn(driver, () -> serve(driver, leaving)));
      } else if (!driver.deleted() && active.isPresent()) {
        next = earlier(next, turn(driver, () -> ignore(driver, active.get())));
      }
    }
    rollout.removeOrphans();
    return turns.done(next);
  }

  /** What fails about one driver holds up no other. */
  private Instant turn(ApiObject driver, Supplier<Instant> work) {
    Instant[] next = {Instant.MAX};
    var _ = turns.run(driver.name(), () -> next[0] = work.get());
    return next[0];
  }

  private Instant ignore(ApiObject driver, String active) {
    components.remove(driver.name());
    writer.status(
        driver, DriverStatusDecision.ignored(driver.generation(), active), clock.instant());
    return Instant.MAX;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private DriverIdentity identity(ApiObject driver) {
    return new DriverIdentity(
        driver.name(), driver.uid(), driver.generation(), settings.namespace());
  }

  private static EffectiveSpec spec(ApiObject driver) {
    return EffectiveSpec.of(Typed.read(driver.spec(), CXIDriverSpec.class));
  }

  private Instant serve(ApiObject driver, List<ApiObject> leaving) {
    ApiObject current =
        driver.hasFinalizer(CxiNames.FINALIZER) ? driver : writer.addFinalizer(driver);
    if (!leaving.isEmpty()) {
      // two driver agents on a node would undo each other's work
      LOG.info("CXIDriver {} waits until {} has let go of its nodes", driver, leaving.getFirst());
      return Instant.MAX;
    }
    DriverIdentity identity = identity(current);
    EffectiveSpec spec = spec(current);
    NodeComponents.Result result = components.reconcile(identity, spec);
    DriverRollout.Result rolled =
        rollout.reconcile(
            new DriverRollout.Wanted(
                current, identity, spec, result.template(), false, clock.instant()));
    quarantine.reconcile(current, identity, spec);
    writer.status(
        caches.drivers.all().stream()
            .filter(each -> each.uid().equals(current.uid()))
            .findFirst()
            .orElse(current),
        DriverStatusDecision.of(
            new DriverStatusDecision.Input(
                identity,
                spec,
                rolled.nodes(),
                rolled.campaign(),
                result.readiness(),
                result.failure(),
                result.webhookReady(),
                Fields.text(current.status(), "driverVersion"))),
        clock.instant());
    return result.failure().isPresent()
        ? Collections.min(List.of(rolled.next(), clock.instant().plus(RETRY)))
        : rolled.next();
  }

  /** Nodes that have left finish and return first; kernel modules stay loaded. */
  private Instant finish(ApiObject driver) {
    DriverIdentity identity = identity(driver);
    components.removeWebhook(driver.name());
    DriverRollout.Result rolled =
        rollout.reconcile(
            new DriverRollout.Wanted(driver, identity, spec(driver), "", true, clock.instant()));
    Optional<String> keeps =
        RolloutPlan.keeps(rolled.nodes(), RolloutSnapshot.campaigns(caches, identity));
    if (keeps.isPresent()) {
      writer.condition(
          driver,
          Condition.of(DriverStatusDecision.PROGRESSING, true, "Deleting", keeps.get()),
          clock.instant());
      return rolled.next();
    }
    rollout.release(driver.name());
    components.remove(driver.name());
    writer.removeFinalizer(driver);
    LOG.info("CXIDriver {} is gone; kernel modules stay loaded", driver);
    return Instant.MAX;
  }

  @Override
  public void close() {
    loop.close();
    turns.close();
    caches.close();
  }
}
