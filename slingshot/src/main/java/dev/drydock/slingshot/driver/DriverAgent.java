package dev.drydock.slingshot.driver;

import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.slingshot.driver.decide.AgentDecision;
import dev.drydock.slingshot.driver.decide.AgentMaintenance;
import dev.drydock.slingshot.driver.decide.AgentStep;
import dev.drydock.slingshot.driver.decide.DriverGoal;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.driver.decide.DriverTask;
import dev.drydock.slingshot.driver.decide.DriverWork;
import dev.drydock.slingshot.driver.decide.FailureReason;
import dev.drydock.slingshot.driver.decide.ModuleState;
import dev.drydock.slingshot.driver.decide.ModuleUsers;
import dev.drydock.slingshot.node.DriverUpdateMarker;
import dev.drydock.slingshot.node.HostFile;
import dev.drydock.slingshot.node.LoadedModules;
import dev.drydock.slingshot.node.decide.CxiNic;
import dev.drydock.slingshot.resource.CxiResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives one node its CXI driver: installs, loads, replaces and puts back, and tells the operator.
 * Everything that it has to know after a restart is on the disk, in the kernel or in the cluster.
 */
public final class DriverAgent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DriverAgent.class);

  private final DriverAgentSettings settings;
  private final AgentFolders folders;
  private final Kube kube;
  private final AgentNode node;
  private final DriverTasks tasks;
  private final DriverInstaller installer;
  private final DriverRecordFile records;
  private final ModuleLoader loader;
  private final LoadedModules modules;
  private final LoadRecord loadRecord;
  private final DeviceUserScan users;
  private final DriverUpdateMarker marker;
  private final DeviceReporter devices;
  private final NextKernelPreparation nextKernels;
  private final ControlLoop loop;
  private final HostTools tools;

  /** The core module's file by revision and kernel, once it is in place. */
  private final Map<String, Optional<ModuleState.InPlace>> inPlace = new ConcurrentHashMap<>();

  private volatile AgentState state = AgentState.STARTING;

  /**
   * The agent of the node that this process runs on.
   *
   * @param resource whose devices are NICs, e.g. {@code hpe.com/cxi}
   */
  public static DriverAgent of(
      Kube kube,
      DriverAgentSettings settings,
      AgentFolders folders,
      HostCommand host,
      String resource) {
    return new DriverAgent(
        kube,
        settings,
        folders,
        new ProcessTools(host, Path.of(System.getProperty("java.io.tmpdir", "/tmp"))),
        new PodResources(folders.podResources(), resource));
  }

  /**
   * @param tools programs of the host
   * @param pods what the kubelet says about pods with devices
   */
  DriverAgent(
      Kube kube,
      DriverAgentSettings settings,
      AgentFolders folders,
      HostTools tools,
      DeviceUsers pods) {
    this.kube = kube;
    this.settings = settings;
    this.folders = folders;
    this.tools = tools;
    loop = kube.loop("cxi-driver-agent", settings.node(), this::step);
    node = new AgentNode(kube, settings, loop::wake);
    tasks = new DriverTasks(kube.time(), loop::wake);
    installer = new DriverInstaller(folders, tools, new SourceDownload());
    records = new DriverRecordFile(folders);
    modules = new LoadedModules(folders.roots());
    loadRecord = new LoadRecord(folders.roots());
    users = new DeviceUserScan(folders, pods);
    loader = new ModuleLoader(tools, modules, loadRecord, users::scan);
    marker = new DriverUpdateMarker(folders.roots());
    nextKernels = new NextKernelPreparation(folders, node, tasks, installer, kube.clock());
    devices = new DeviceReporter(kube, settings, folders, node, () -> state);
  }

  public void start() {
    node.start();
    devices.start();
    loop.wake();
  }

  /** What it does, for probes and people. */
  public AgentState state() {
    return state;
  }

  /** The NICs that it sees. */
  public List<CxiNic> nics() {
    return devices.nics();
  }

  private Instant step() {
    Instant now = kube.clock().instant();
    Optional<ApiObject> own = node.node();
    if (own.isEmpty() || node.unsynced().isPresent()) {
      return now.plus(settings.poll()); // woken earlier when maintenances are known
    }
    AgentDecision decision = decide(own.get(), now);
    AgentStep step = decision.next();
    publish(AgentState.of(decision, checksum(decision), step));
    switch (step) {
      case AgentStep.Wait(String _, Optional<Instant> until) -> {
        Instant latest = now.plus(settings.poll());
        prepareNextKernel(own.get(), decision);
        return until.filter(latest::isAfter).orElse(latest);
      }
      case AgentStep.Start(DriverTask task, DriverTarget target) -> start(task, target);
      case AgentStep.Report(DriverReport report, Optional<String> previous) -> {
        LOG.info("the driver is {}: {}", report.state(), describe(report));
        node.report(own.get(), report, previous);
      }
      case AgentStep.Complete(String maintenance) -> node.complete(maintenance);
      case AgentStep.StopHandlers(String reason) -> setMarker(reason);
      case AgentStep.TerminateHandlers(List<Long> pids) -> {
        terminate(pids);
        return now.plus(settings.poll());
      }
      case AgentStep.ResumeHandlers() -> clearMarker();
    }
    // one step at a time: the next one follows from what it changed
    return now;
  }

  private void publish(AgentState next) {
    boolean changed = !next.equals(state);
    state = next;
    if (changed) {
      devices.wake();
    }
  }

  private Optional<String> checksum(AgentDecision decision) {
    return target(decision.goal())
        .flatMap(target -> core(target, decision.kernel()))
        .map(ModuleState.InPlace::sha256);
  }

  private static String describe(DriverReport report) {
    return report.error() != null
        ? report.error()
        : report.step() == null ? String.valueOf(report.version()) : report.step();
  }

  private AgentDecision decide(ApiObject own, Instant now) {
    String kernel = kernel();
    DriverWork work = tasks.work();
    Optional<DriverReport> report = CxiResources.driverReport(own);
    Optional<AgentMaintenance> maintenance = node.maintenance(settings.wanted());
    DriverGoal goal = DriverGoal.of(settings.wanted(), records.read(), report, maintenance);
    Optional<DriverTarget> target = target(goal);
    ModuleState loaded = target.map(each -> moduleState(each, kernel)).orElse(ModuleState.UNKNOWN);
    boolean replaces =
        work.running().isEmpty()
            && (goal instanceof DriverGoal.Install || goal instanceof DriverGoal.RollBack)
            && (loaded == ModuleState.OUTDATED || loaded == ModuleState.UNKNOWN)
            && target.filter(each -> inPlace.containsKey(key(each, kernel))).isPresent();
    return new AgentDecision(
        settings.wanted(),
        records.read(),
        report,
        maintenance,
        kernel,
        work,
        modules.ours(),
        loaded,
        replaces ? users.scan() : ModuleUsers.NONE,
        stopping(),
        settings.poll(),
        now);
  }

  private static Optional<DriverTarget> target(DriverGoal goal) {
    return switch (goal) {
      case DriverGoal.Keep(DriverTarget target) -> Optional.of(target);
      case DriverGoal.Install(DriverTarget target, Optional<String> _) -> Optional.of(target);
      case DriverGoal.RollBack(DriverTarget target, String _) -> Optional.of(target);
      case DriverGoal.Leave _, DriverGoal.NoWayBack _ -> Optional.empty();
    };
  }

  private ModuleState moduleState(DriverTarget target, String kernel) {
    List<String> loaded = modules.ours();
    if (!loaded.contains("cxi_ss1") || !loaded.contains("cxi_user")) {
      return ModuleState.ABSENT;
    }
    if (target.type() == SourceType.preinstalled) {
      return ModuleState.CURRENT;
    }
    return inPlace
        .getOrDefault(key(target, kernel), Optional.empty())
        .map(file -> ModuleState.of(loadRecord.read(), file))
        .orElse(ModuleState.UNKNOWN);
  }

  private static String key(DriverTarget target, String kernel) {
    return target.revision() + " " + kernel;
  }

  /** The third word of what the kernel says about itself. */
  private String kernel() {
    return HostFile.text(folders.roots().proc().resolve("version"))
        .map(text -> text.split("\\s+", 4))
        .filter(words -> words.length > 2)
        .map(words -> words[2])
        .orElse("unknown");
  }

  private Optional<Instant> stopping() {
    try {
      return Files.exists(marker.file())
          ? Optional.of(Files.getLastModifiedTime(marker.file()).toInstant())
          : Optional.empty();
    } catch (IOException vanished) {
      return Optional.empty();
    }
  }

  private void start(DriverTask task, DriverTarget target) {
    tasks.start(
        task,
        step -> {
          switch (task.kind()) {
            case FILES -> {
              Optional<ModuleState.InPlace> core = place(target, task.kernel(), step);
              records.installed(target);
              inPlace.put(key(target, task.kernel()), core);
            }
            case LOAD -> loader.load(core(target, task.kernel()), step);
            case RELOAD -> loader.reload(core(target, task.kernel()), step);
            case PREPARE -> throw new IllegalStateException("it is for kernels that do not run");
          }
        });
  }

  private Optional<ModuleState.InPlace> place(
      DriverTarget target, String kernel, Consumer<String> step) {
    try {
      return installer.install(target, kernel, step);
    } catch (InstallFailure failure) {
      boolean needless =
          target.type() == SourceType.preinstalled
              && failure.reason() == FailureReason.HostToolFailed;
      if (!needless) {
        throw failure;
      }
      // a driver that is loaded needs no program of the host
      LOG.warn("the host's modules are not looked at: {}", failure.getMessage());
      return Optional.empty();
    }
  }

  private Optional<ModuleState.InPlace> core(DriverTarget target, String kernel) {
    return inPlace.getOrDefault(key(target, kernel), Optional.empty());
  }

  private void setMarker(String reason) {
    try {
      marker.set(reason);
    } catch (IOException failed) {
      throw new MarkerFailure(marker.file(), failed);
    }
  }

  private void clearMarker() {
    try {
      marker.clear();
    } catch (IOException failed) {
      throw new MarkerFailure(marker.file(), failed);
    }
  }

  private static void terminate(List<Long> pids) {
    LOG.warn("retry handlers {} do not stop by themselves", pids);
    pids.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy));
  }

  /** Only while the running kernel has its driver, and nothing else is to be done. */
  private void prepareNextKernel(ApiObject own, AgentDecision decision) {
    if (!tasks.isIdle() || !(decision.goal() instanceof DriverGoal.Keep keep)) {
      return;
    }
    nextKernels.look(own, keep.target(), decision.kernel());
  }

  @Override
  public void close() {
    loop.close();
    devices.close();
    node.close();
    tools.close();
  }
}
