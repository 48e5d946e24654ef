package dev.drydock.slingshot.driver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.cxi.CXIDeviceStatus;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Latest;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.kube.StepObjects;
import dev.drydock.kube.Typed;
import dev.drydock.kube.Watch;
import dev.drydock.slingshot.driver.decide.DeviceLabels;
import dev.drydock.slingshot.driver.decide.DeviceObservation;
import dev.drydock.slingshot.driver.decide.DeviceStatus;
import dev.drydock.slingshot.node.CxiSysfs;
import dev.drydock.slingshot.node.HandlerQuarantine;
import dev.drydock.slingshot.node.LoadedModules;
import dev.drydock.slingshot.node.RunningRetryHandlers;
import dev.drydock.slingshot.node.UnservedNics;
import dev.drydock.slingshot.node.decide.CxiNic;
import dev.drydock.slingshot.node.decide.RetryHandlerProcess;
import dev.drydock.slingshot.resource.CxiResources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps the CXIDevices of a node and the labels of its Node as the NICs are. */
final class DeviceReporter implements AutoCloseable {
  private static final String LOOP = "cxi-devices";
  private static final String CORE = LoadedModules.DRIVER.getFirst();

  private final Kube kube;
  private final DriverAgentSettings settings;
  private final AgentNode node;
  private final Supplier<AgentState> driver;
  private final CxiSysfs sysfs;
  private final LoadedModules modules;
  private final RunningRetryHandlers handlers;
  private final HandlerQuarantine quarantine;
  private final UnservedNics unserved;
  private final Watch<ApiObject> present;
  private final Latest<ApiObject> latest = new Latest<>();
  private final ControlLoop loop;
  private final StepObjects objects;
  private volatile List<CxiNic> nics = List.of();

  DeviceReporter(
      Kube kube,
      DriverAgentSettings settings,
      AgentFolders folders,
      AgentNode node,
      Supplier<AgentState> driver) {
    this.kube = kube;
    this.settings = settings;
    this.node = node;
    this.driver = driver;
    sysfs = new CxiSysfs(folders.roots());
    modules = new LoadedModules(folders.roots());
    handlers = new RunningRetryHandlers(folders.roots());
    quarantine = new HandlerQuarantine(folders.roots());
    unserved = new UnservedNics(folders.roots());
    loop = kube.loop(LOOP, this::step);
    objects = kube.stepObjects(LOOP);
    present =
        kube.watches()
            .of(
                Watch.Kind.of(
                    CxiResources.DEVICES.all().labelSelector(CxiNames.NODE + "=" + settings.node()),
                    object -> ApiObject.bounded(object, List.of(CxiNames.NODE))),
                Watch.Listener.waking(loop::wake));
  }

  void start() {
    var _ = present.start();
    loop.wake();
  }

  /** Looks again, because the driver changed. */
  void wake() {
    loop.wake();
  }

  /** The NICs as they were seen last. */
  List<CxiNic> nics() {
    return nics;
  }

  private Instant step() {
    Instant next = kube.clock().instant().plus(settings.poll());
    nics = sysfs.nics();
    Optional<ApiObject> own = node.node();
    if (own.isEmpty() || present.state().unsynced().isPresent()) {
      return next;
    }
    List<ApiObject> there = latest.of(present.state().items());
    Map<String, RetryHandlerProcess> running = handlers.all();
    for (CxiNic nic : nics) {
      var _ = objects.run(nic.name(), () -> report(own.get(), nic, there, running));
    }
    for (ApiObject device : there) {
      boolean gone = nics.stream().noneMatch(nic -> name(nic).equals(device.name()));
      if (gone && !device.deleted()) {
        var _ = objects.run(device.name(), () -> remove(device));
      }
    }
    if (settings.labels()) {
      var _ = objects.run("labels", () -> label(own.get()));
    }
    return objects.done(next);
  }

  private String name(CxiNic nic) {
    return settings.node() + "-" + nic.name();
  }

  private void label(ApiObject own) {
    Map<String, @Nullable String> changes =
        DeviceLabels.changes(own.labels(), nics, settings.switchMask());
    if (!changes.isEmpty()) {
      node.labels(own, changes);
    }
  }

  private void remove(ApiObject device) {
    Delete.sameUid(CxiResources.DEVICES, device).send(kube.http());
    latest.gone(device);
  }

  private void report(
      ApiObject own, CxiNic nic, List<ApiObject> there, Map<String, RetryHandlerProcess> running) {
    ApiObject device =
        there.stream()
            .filter(each -> each.name().equals(name(nic)))
            .findFirst()
            .orElseGet(() -> create(own, nic));
    if (device.deleted()) {
      return; // the next look makes it anew
    }
    Optional<CXIDeviceStatus> before =
        device.status().isObject()
            ? Optional.of(Typed.read(device.status(), CXIDeviceStatus.class))
            : Optional.empty();
    Instant now = kube.clock().instant();
    CXIDeviceStatus after =
        DeviceStatus.of(settings.node(), observe(nic, running), before, settings.switchMask(), now);
    if (before.isPresent() && !DeviceStatus.isNews(before.get(), after, now)) {
      return;
    }
    Patch.sameUid(CxiResources.DEVICES, device)
        .replaceStatus(device.status(), (ObjectNode) Typed.tree(after))
        .sendIfExists(kube.http())
        .map(ApiObject::of)
        .ifPresentOrElse(latest::wrote, () -> latest.gone(device));
  }

  private ApiObject create(ApiObject own, CxiNic nic) {
    ObjectNode object = CxiResources.DEVICES.manifest("", name(nic));
    ObjectNode metadata = (ObjectNode) object.path("metadata");
    metadata
        .putObject("labels")
        .put(CxiNames.NODE, settings.node())
        .put(CxiNames.DEVICE, nic.name());
    metadata.putArray("ownerReferences").add(own.ownerReference(Resource.NODES));
    object.putObject("spec");
    return latest.wrote(
        ApiObject.of(kube.http().createOrFind(CxiResources.DEVICES, object).object()));
  }

  private DeviceObservation observe(CxiNic nic, Map<String, RetryHandlerProcess> running) {
    Optional<RetryHandlerProcess> handler = Optional.ofNullable(running.get(nic.name()));
    AgentState state = driver.get();
    Optional<DriverReport> report = state.report();
    return new DeviceObservation(
        nic,
        handler,
        handler.flatMap(handlers::statistics),
        settings.handlersExpected(),
        unserved.find(nic.name()),
        quarantine.reason(nic.name()),
        new DeviceObservation.DriverObservation(
            report.map(DriverReport::version).filter(version -> !version.isEmpty()),
            modules.version(CORE),
            state.checksum(),
            settings.wanted().version(),
            state.ready(),
            report.map(each -> each.state().name()).orElse("Unknown"),
            state.unready().orElse("")));
  }

  @Override
  public void close() {
    loop.close();
    objects.close();
    present.close();
  }
}
