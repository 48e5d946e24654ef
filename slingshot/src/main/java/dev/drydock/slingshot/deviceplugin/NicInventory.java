package dev.drydock.slingshot.deviceplugin;

import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.slingshot.deviceplugin.decide.NicCondition;
import dev.drydock.slingshot.deviceplugin.decide.NicHealth;
import dev.drydock.slingshot.deviceplugin.decide.OfferedNic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the NICs of the node, now and then and when something changes, and says which are fit.
 */
final class NicInventory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NicInventory.class);

  /** NICs that come together are one change. */
  private static final Duration DEBOUNCE = Duration.ofMillis(500);

  private final Supplier<List<NicCondition>> conditions;
  private final Pace pace;
  private final Consumer<List<OfferedNic>> listener;
  private final TimeSource time;
  private final ControlLoop loop;
  private Map<String, NicHealth> known = new HashMap<>();

  /**
   * How often is looked.
   *
   * @param poll the longest time between two looks
   * @param hysteresis how long a link must be up or down until that counts
   */
  record Pace(Duration poll, Duration hysteresis) {}

  /**
   * @param listener gets all NICs with every look
   */
  NicInventory(
      LoopFactory loops,
      Supplier<List<NicCondition>> conditions,
      Pace pace,
      Consumer<List<OfferedNic>> listener) {
    this.conditions = conditions;
    this.pace = pace;
    this.listener = listener;
    this.time = loops.time();
    this.loop =
        loops.loop(
            "cxi-nics",
            "",
            // the first look is not a change
            last -> last.isZero() ? Duration.ZERO : DEBOUNCE,
            this::step);
  }

  /** Something may have changed. */
  void wake() {
    loop.wake();
  }

  private Instant step() {
    Duration now = time.elapsed();
    Map<String, NicHealth> next = new HashMap<>();
    List<OfferedNic> nics = new ArrayList<>();
    Duration wait = pace.poll();
    for (NicCondition seen : conditions.get()) {
      NicHealth before = known.get(seen.name());
      NicHealth health =
          before == null ? NicHealth.first(seen) : before.next(seen, now, pace.hysteresis());
      tell(seen.name(), Optional.ofNullable(before).flatMap(NicHealth::problem), health.problem());
      next.put(seen.name(), health);
      nics.add(new OfferedNic(seen.name(), seen.numaNode(), health.healthy()));
      Duration due = health.due(pace.hysteresis()).map(at -> at.minus(now)).orElse(wait);
      wait = due.compareTo(wait) < 0 ? due : wait;
    }
    known = next;
    listener.accept(nics);
    return time.now().plus(wait);
  }

  private static void tell(String nic, Optional<String> before, Optional<String> now) {
    if (before.equals(now)) {
      return;
    }
    now.ifPresentOrElse(
        problem -> LOG.warn("{} is not offered to pods: {}", nic, problem),
        () -> LOG.info("{} is offered to pods again", nic));
  }

  @Override
  public void close() {
    loop.close();
  }
}
