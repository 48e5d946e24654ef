package dev.drydock.slingshot.metrics.decide;

import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import dev.drydock.slingshot.metrics.decide.NodeSample.Handler;
import dev.drydock.slingshot.metrics.decide.NodeSample.Nic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a node, and what has to be remembered so that no counter goes back. Series of NICs
 * that are gone are not shown; if one returns, its counters go on.
 *
 * @param node its name
 * @param shown the NICs that there are
 */
public record NodeMetrics(
    String node,
    NodeSample sample,
    List<Nic> shown,
    Map<String, Counts> counts,
    Map<String, Long> errors,
    OptionalLong lastSuccess) {
  public static final List<String> MODULES = List.of("cxi_ss1", "cxi_user", "cxi_eth", "sbl", "sl");

  public static final String DISCOVERY = "device_discovery";
  public static final String RETRY_HANDLER = "retry_handler";

  /** A NIC's counters; null while nothing was counted. */
  public record Counts(
      RestartCount restarts, @Nullable GrowingCount nacks, @Nullable GrowingCount timeouts) {}

  /** A value with its labels. */
  public record Series(MetricFamily metric, Map<String, String> labels, double value) {}

  /** Before anything was read. */
  public static NodeMetrics none(String node) {
    return new NodeMetrics(
        node,
        new NodeSample(Optional.empty(), Set.of(), Optional.empty(), false),
        List.of(),
        Map.of(),
        Map.of(DISCOVERY, 0L, RETRY_HANDLER, 0L),
        OptionalLong.empty());
  }

  /**
   * After another sample. What could not be read stays as it was, and counts as an error.
   *
   * @param second of the clock
   */
  public NodeMetrics next(NodeSample next, long second) {
    Map<String, Long> failed = new TreeMap<>(errors);
    boolean read = next.nics().isPresent();
    boolean asked = next.handlers().isPresent() || !next.handlersExpected();
    failed.merge(DISCOVERY, read ? 0L : 1L, Long::sum);
    failed.merge(RETRY_HANDLER, asked ? 0L : 1L, Long::sum);
    Map<String, Counts> counted = new TreeMap<>(counts);
    next.handlers()
        .ifPresent(
            handlers ->
                handlers.forEach(
                    (nic, handler) -> counted.put(nic, count(counts.get(nic), handler))));
    return new NodeMetrics(
        node,
        next,
        next.nics().orElse(shown),
        counted,
        failed,
        read && asked ? OptionalLong.of(second) : lastSuccess);
  }

  private static Counts count(@Nullable Counts before, Handler handler) {
    if (before == null) {
      return new Counts(
          RestartCount.first(handler.restarts()),
          grow(null, handler.nacks(), handler.process()),
          grow(null, handler.timeouts(), handler.process()));
    }
    return new Counts(
        before.restarts().next(handler.restarts()),
        grow(before.nacks(), handler.nacks(), handler.process()),
        grow(before.timeouts(), handler.timeouts(), handler.process()));
  }

  private static @Nullable GrowingCount grow(
      @Nullable GrowingCount before, OptionalLong raw, long process) {
    if (raw.isEmpty()) {
      return before;
    }
    return before == null
        ? GrowingCount.first(raw.getAsLong(), process)
        : before.next(raw.getAsLong(), process);
  }

  /** All values to show. */
  public List<Series> series() {
    List<Series> all = new ArrayList<>();
    all.add(new Series(MetricFamily.CXI_DEVICE_COUNT, Map.of("node", node), shown.size()));
    for (Nic nic : shown) {
      Map<String, String> labels =
          Map.of("device", nic.name(), "node", node, "pci_address", nic.pciAddress());
      all.add(new Series(MetricFamily.CXI_DEVICE_LINK_STATE, labels, state(nic.link())));
      all.add(new Series(MetricFamily.CXI_DEVICE_NUMA_NODE, labels, nic.numaNode()));
      all.add(new Series(MetricFamily.CXI_DEVICE_HEALTH_STATUS, labels, healthy(nic) ? 1 : 0));
      handler(nic.name(), all);
    }
    for (String module : MODULES) {
      all.add(
          new Series(
              MetricFamily.CXI_DRIVER_LOADED,
              Map.of("node", node, "module", module),
              sample.modules().contains(module) ? 1 : 0));
    }
    errors.forEach(
        (type, count) ->
            all.add(
                new Series(
                    MetricFamily.CXI_SCRAPE_ERRORS_TOTAL,
                    Map.of("node", node, "type", type),
                    count)));
    lastSuccess.ifPresent(
        second ->
            all.add(
                new Series(
                    MetricFamily.CXI_LAST_SCRAPE_TIMESTAMP_SECONDS, Map.of("node", node), second)));
    return all;
  }

  private static int state(LinkState link) {
    return switch (link) {
      case up -> 1;
      case down -> 0;
      case unknown -> -1;
    };
  }

  /** A NIC whose retry handler is not known to run is not fit, if it should have one. */
  private boolean healthy(Nic nic) {
    boolean handled =
        sample
            .handlers()
            .map(all -> all.get(nic.name()))
            .map(Handler::running)
            .orElse(!sample.handlersExpected());
    return nic.link() == LinkState.up && handled;
  }

  private void handler(String nic, List<Series> all) {
    Map<String, String> labels = Map.of("device", nic, "node", node);
    sample
        .handlers()
        .map(handlers -> handlers.get(nic))
        .ifPresent(
            handler ->
                all.add(
                    new Series(
                        MetricFamily.CXI_RETRY_HANDLER_RUNNING,
                        labels,
                        handler.running() ? 1 : 0)));
    Counts counted = counts.get(nic);
    if (counted == null) {
      return;
    }
    all.add(
        new Series(
            MetricFamily.CXI_RETRY_HANDLER_RESTARTS_TOTAL, labels, counted.restarts().total()));
    GrowingCount nacks = counted.nacks();
    GrowingCount timeouts = counted.timeouts();
    if (nacks != null && timeouts != null) {
      all.add(new Series(MetricFamily.CXI_RETRY_TOTAL, labels, nacks.total() + timeouts.total()));
      all.add(new Series(MetricFamily.CXI_RETRY_NACK_TOTAL, labels, nacks.total()));
      all.add(new Series(MetricFamily.CXI_RETRY_TIMEOUT_TOTAL, labels, timeouts.total()));
    }
  }
}
