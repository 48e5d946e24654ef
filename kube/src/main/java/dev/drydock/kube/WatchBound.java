package dev.drydock.kube;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much all facts of one watch may take, for kinds of which a tenant may create any number. A
 * fact for which there is no room is kept reduced; one group, such as a namespace, gets an eighth
 * at most, so that the others keep theirs.
 *
 * @param most of all facts together
 * @param size what the part of a fact takes that can be dropped
 * @param reduce the fact without that part
 * @param isReduced whether that part is missing
 */
public record WatchBound<T>(
    long most, ToLongFunction<T> size, UnaryOperator<T> reduce, Predicate<T> isReduced) {
  private static final Logger LOG = LoggerFactory.getLogger(WatchBound.class);
  private static final int GROUPS = 8;

  /** What the kept facts take. For use by one thread at a time. */
  static final class Tally<T> {
    private final Optional<WatchBound<T>> bound;
    private final Function<T, String> group;
    private final Map<String, Long> byGroup = new HashMap<>();
    private final Set<String> reducedIn = new HashSet<>();
    private long all;

    Tally(Optional<WatchBound<T>> bound, Function<T, String> group) {
      this.bound = bound;
      this.group = group;
    }

    /** The fact as it is to be kept. */
    T add(T fact) {
      return bound.map(limit -> add(fact, limit)).orElse(fact);
    }

    private T add(T fact, WatchBound<T> limit) {
      String key = group.apply(fact);
      long size = limit.size().applyAsLong(fact);
      long here = byGroup.getOrDefault(key, 0L) + size;
      if (here > limit.most() / GROUPS || all + size > limit.most()) {
        if (reducedIn.add(key)) {
          LOG.warn("{}: {} takes more memory than is kept", fact.getClass().getSimpleName(), key);
        }
        return limit.reduce().apply(fact);
      }
      count(key, size);
      return fact;
    }

    void remove(T fact) {
      bound.ifPresent(limit -> count(group.apply(fact), -limit.size().applyAsLong(fact)));
    }

    private void count(String key, long size) {
      if (size == 0) {
        return;
      }
      all += size;
      byGroup.merge(key, size, (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
    }

    Set<String> reduced(Collection<T> facts) {
      Set<String> groups = new TreeSet<>();
      bound.ifPresent(
          limit ->
              facts.stream()
                  .filter(limit.isReduced())
                  .forEach(fact -> groups.add(group.apply(fact))));
      return groups;
    }
  }
}
