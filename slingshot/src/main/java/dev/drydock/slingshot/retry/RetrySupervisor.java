package dev.drydock.slingshot.retry;

import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.FolderWatch;
import dev.drydock.slingshot.node.CxiSysfs;
import dev.drydock.slingshot.node.NicWatch;
import dev.drydock.slingshot.node.RunningRetryHandlers;
import dev.drydock.slingshot.node.decide.RetryStatistics;
import dev.drydock.slingshot.retry.decide.HandlerStep;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has one retry handler run for each NIC of the node, until closed. */
public final class RetrySupervisor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RetrySupervisor.class);

  private final Settings settings;
  private final TimeSource time;
  private final Node node;
  private final NicWatch nics;
  private final Map<String, NicHandler> served = new ConcurrentSkipListMap<>();
  private final ControlLoop discovery;
  private final ControlLoops<String> handlers;
  private final ControlLoops<String> statistics;
  private final FolderWatch files;
  private volatile Set<String> wanted = Set.of();
  private volatile boolean looked;

  /**
   * What is served, and how.
   *
   * @param named the NICs to serve; empty for all of the node
   * @param poll how often the statistics are read, and NICs looked for, where the kernel does not
   *     tell of changes
   */
  public record Settings(
      HandlerLauncher launcher, CrashAction onCrash, List<String> named, Duration poll) {}

  /**
   * The node.
   *
   * @param names of its NICs
   * @param statistics of the handler of a NIC; may take long if the handler hangs
   */
  record Node(
      Supplier<List<String>> names,
      HandlerProcess.Starter starter,
      Function<String, Optional<RetryStatistics>> statistics) {}

  public RetrySupervisor(LoopFactory loops, Settings settings) {
    this(
        loops,
        settings,
        new Node(
            () -> new CxiSysfs(settings.launcher().roots()).names(),
            HandlerProcess.real(settings.launcher(), settings.onCrash()),
            nic -> RunningRetryHandlers.statistics(settings.launcher().statistics(nic))));
  }

  RetrySupervisor(LoopFactory loops, Settings settings, Node node) {
    this.settings = settings;
    this.node = node;
    this.time = loops.time();
    nics = new NicWatch(new CxiSysfs(settings.launcher().roots()), this::wakeDiscovery);
    NicHandlerContext context =
        new NicHandlerContext(
            settings.launcher(),
            node.starter(),
            settings.onCrash(),
            new NicHandlerContext.Events(nic -> wanted.contains(nic), this::wake, served::remove));
    discovery = loops.loop("cxi-handlers", this::discover);
    handlers =
        loops.loops(
            "cxi-handler",
            nic -> served.computeIfAbsent(nic, name -> new NicHandler(name, context, time)));
    statistics = loops.loops("cxi-handler-statistics", nic -> () -> readStatistics(nic));
    files =
        FolderWatch.ofNames(
            settings.launcher().roots().runCxi(),
            Files::createDirectories,
            FolderWatch.Listener.waking(this::wakeHandlers));
  }

  /** Begins to serve. */
  public void start() throws IOException {
    files.start();
    discovery.wake();
  }

  /** The programs on the node tell each other something by files. */
  private void wakeHandlers() {
    handlers.wakeAll();
  }

  private void wakeDiscovery() {
    discovery.wake();
  }

  private void wake(String nic) {
    handlers.wake(nic);
  }

  private Instant discover() {
    nics.keep();
    wanted = Set.copyOf(settings.named().isEmpty() ? node.names().get() : settings.named());
    wanted.forEach(
        nic -> {
          handlers.wake(nic);
          if (!statistics.serves(nic)) {
            statistics.wake(nic);
          }
        });
    handlers.wakeAll();
    looked = true;
    return time.now().plus(settings.poll());
  }

  private Optional<Instant> readStatistics(String nic) {
    NicHandler handler = served.get(nic);
    if (handler == null) {
      return wanted.contains(nic)
          ? Optional.of(time.now().plus(settings.poll()))
          : Optional.empty();
    }
    handler.statistics(node.statistics().apply(nic));
    return Optional.of(time.now().plus(settings.poll()));
  }

  /** All handlers, by NIC. */
  public List<HandlerStatus> status() {
    return served.values().stream().map(NicHandler::status).toList();
  }

  /** NICs without a handler, one line each; also if it is not known yet which NICs there are. */
  public List<String> missing() {
    if (!looked) {
      return List.of("the NICs of the node are not known yet");
    }
    return status().stream()
        .filter(each -> !each.reason().serves())
        .map(each -> "%s: %s: %s".formatted(each.device(), each.reason(), each.message()))
        .toList();
  }

  /** Ends all handlers: they restore the timeouts of their NICs, or are killed. */
  @Override
  public void close() {
    files.close();
    nics.close();
    discovery.close();
    statistics.close();
    // their reconcilers are forgotten with them
    Map<String, NicHandler> all = Map.copyOf(served);
    handlers.close();
    List<Ending> endings = new ArrayList<>();
    all.forEach(
        (nic, handler) ->
            handler.end().ifPresent(process -> endings.add(new Ending(nic, handler, process))));
    Duration deadline = time.elapsed().plus(HandlerStep.STOP);
    try {
      for (Ending each : endings) {
        each.await(deadline.minus(time.elapsed()));
      }
    } catch (InterruptedException stopped) {
      endings.forEach(each -> each.process().kill());
      Thread.currentThread().interrupt();
    }
  }

  private record Ending(String nic, NicHandler handler, HandlerProcess process) {
    void await(Duration most) throws InterruptedException {
      if (process.awaitEnd(Math.max(0, most.toSeconds()))) {
        handler.ended();
      } else {
        LOG.warn("{}: the retry handler does not end and is killed", nic);
        process.kill();
      }
    }
  }
}
