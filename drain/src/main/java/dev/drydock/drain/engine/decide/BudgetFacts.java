package dev.drydock.drain.engine.decide;

import dev.drydock.contracts.LabelSelector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An observed PodDisruptionBudget, and how the eviction API will answer because of it.
 *
 * @param selector absent matches no pod, empty matches every pod of the namespace
 * @param closed it never allows a disruption, as with {@code maxUnavailable: 0}
 * @param version changes with every change of the object (its resourceVersion)
 * @param reduced its selector is too large to be kept, so it may select any pod of its namespace
 * @param syncFailure why the disruption controller could not compute the numbers, if it could not
 */
public record BudgetFacts(
    BudgetRef ref,
    Optional<LabelSelector> selector,
    boolean reduced,
    boolean closed,
    String version,
    int disruptionsAllowed,
    int currentHealthy,
    int desiredHealthy,
    int expectedPods,
    long generation,
    long observedGeneration,
    int disruptedPods,
    UnhealthyPods unhealthyPods,
    Optional<String> syncFailure) {

  /** {@code spec.unhealthyPodEvictionPolicy}; unset means the first. */
  public enum UnhealthyPods {
    IF_HEALTHY_BUDGET,
    ALWAYS_ALLOW
  }

  /** Above this number of unconfirmed evictions the API server refuses more. */
  private static final int MOST_DISRUPTED_PODS = 2000;

  public static Builder named(String namespace, String name) {
    return new Builder(new BudgetRef(namespace, name));
  }

  boolean selects(PodFacts pod) {
    return ref.namespace().equals(pod.ref().namespace())
        && selector.filter(s -> pod.reduced() || s.matches(pod.labels())).isPresent();
  }

  /** This budget, without knowing which pods it selects. */
  public BudgetFacts withoutSelector() {
    return new BudgetFacts(
        ref,
        Optional.of(LabelSelector.everything()),
        true,
        closed,
        version,
        disruptionsAllowed,
        currentHealthy,
        desiredHealthy,
        expectedPods,
        generation,
        observedGeneration,
        disruptedPods,
        unhealthyPods,
        syncFailure);
  }

  /** Whether an unready pod may be evicted without using the budget, by the budget's policy. */
  boolean freeFor(PodFacts pod) {
    if (pod.ready()) {
      return false;
    }
    return unhealthyPods == UnhealthyPods.ALWAYS_ALLOW
        || (currentHealthy >= desiredHealthy && desiredHealthy > 0);
  }

  boolean settled() {
    return observedGeneration >= generation;
  }

  /** How many evictions the API server would grant now. */
  int room() {
    return settled() && disruptedPods <= MOST_DISRUPTED_PODS ? Math.max(0, disruptionsAllowed) : 0;
  }

  /** How many pods may be disrupted at a time when all others are healthy. */
  int roomWhenHealthy() {
    return Math.max(0, expectedPods - desiredHealthy);
  }

  /** Waiting does not help: even with every pod healthy no disruption is allowed. */
  boolean neverAllows() {
    return settled()
        && room() == 0
        && (syncFailure.isPresent() || (expectedPods > 0 && roomWhenHealthy() == 0));
  }

  /** The numbers behind a refusal. */
  String standing() {
    if (syncFailure.isPresent()) {
      return "its numbers could not be computed: " + syncFailure.get();
    }
    if (!settled()) {
      return "its latest change is still being processed";
    }
    String healthy = currentHealthy + " healthy of " + desiredHealthy + " needed";
    return neverAllows() ? healthy + ", and only " + expectedPods + " exist" : healthy;
  }

  /** What a person can do about a refusal. Waiting is advised only if it helps. */
  String next() {
    if (!neverAllows()) {
      return BlockReason.DISRUPTION_BUDGET.next();
    }
    String first =
        syncFailure.isPresent()
            ? "fix that, or edit the budget"
            : closed
                ? "edit the budget: as it is, neither time nor replicas help"
                : "add replicas or relax the budget: waiting does not help";
    return first + "; or delete past it with --disable-eviction or --force-after";
  }

  /** Collects facts; starts from a synced budget that allows nothing. */
  public static final class Builder {
    private final BudgetRef ref;
    private @Nullable LabelSelector selector;
    private boolean closed;
    private String version = "";
    private int disruptionsAllowed;
    private int currentHealthy;
    private int desiredHealthy;
    private int expectedPods;
    private long generation = 1;
    private long observedGeneration = 1;
    private int disruptedPods;
    private UnhealthyPods unhealthyPods = UnhealthyPods.IF_HEALTHY_BUDGET;
    private @Nullable String syncFailure;

    private Builder(BudgetRef ref) {
      this.ref = ref;
    }

    public Builder selector(LabelSelector value) {
      selector = value;
      return this;
    }

    public Builder closed(boolean value) {
      closed = value;
      return this;
    }

    public Builder version(String value) {
      version = value;
      return this;
    }

    public Builder disruptionsAllowed(int value) {
      disruptionsAllowed = value;
      return this;
    }

    /** Healthy pods, required healthy pods, and expected pods. */
    public Builder healthy(int current, int desired, int expected) {
      currentHealthy = current;
      desiredHealthy = desired;
      expectedPods = expected;
      return this;
    }

    public Builder generation(long current, long observed) {
      generation = current;
      observedGeneration = observed;
      return this;
    }

    public Builder disruptedPods(int count) {
      disruptedPods = count;
      return this;
    }

    public Builder unhealthyPods(UnhealthyPods value) {
      unhealthyPods = value;
      return this;
    }

    public Builder syncFailure(String message) {
      syncFailure = message;
      return this;
    }

    public BudgetFacts build() {
      return new BudgetFacts(
          ref,
          Optional.ofNullable(selector),
          false,
          closed,
          version,
          disruptionsAllowed,
          currentHealthy,
          desiredHealthy,
          expectedPods,
          generation,
          observedGeneration,
          disruptedPods,
          unhealthyPods,
          Optional.ofNullable(syncFailure));
    }
  }
}
