package dev.drydock.drain.engine.decide;

import dev.drydock.contracts.NameLists;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An obstacle, with all the pods it blocks.
 *
 * @param pods empty if it blocks the whole node
 * @param names the obstacles' names: budgets, finalizers, the node
 * @param what the facts, without the pods
 * @param next what a person can do about it
 * @param namesFlag whether {@code next} names a flag, which only people with a command for drains
 *     have
 */
public record Blocker(
    BlockReason reason,
    List<PodRef> pods,
    List<String> names,
    String what,
    String next,
    boolean namesFlag) {
  /** More pods than this are only counted, to keep the line readable. */
  private static final int PODS_SHOWN = 3;

  public Blocker {
    pods = List.copyOf(pods);
    names = List.copyOf(names);
  }

  /** With the reason's usual advice. */
  public Blocker(BlockReason reason, List<PodRef> pods, List<String> names, String what) {
    this(reason, pods, names, what, reason.next(), reason.namesFlag());
  }

  /** With advice that names no flag. */
  public Blocker(
      BlockReason reason, List<PodRef> pods, List<String> names, String what, String next) {
    this(reason, pods, names, what, next, false);
  }

  /** One line for people: the pods, the obstacle, and what to do next. */
  public String line() {
    return facts() + "; next: " + next;
  }

  /** One line for people without a command for drains. */
  public String lineWithoutFlags() {
    return namesFlag ? facts() : line();
  }

  /** The blocker without advice. */
  public String facts() {
    String who = pods.isEmpty() ? "" : NameLists.some(pods, PODS_SHOWN) + ": ";
    return who + what;
  }

  /** Combines pods with the same obstacle into one blocker, in the order given. */
  static final class Collector {
    private record Key(
        BlockReason reason, List<String> names, String what, String next, boolean namesFlag) {
      static Key of(BlockReason reason, List<String> names, String what) {
        return new Key(reason, names, what, reason.next(), reason.namesFlag());
      }
    }

    private final Map<Key, List<PodRef>> podsByCause = new LinkedHashMap<>();

    void add(BlockReason reason, PodFacts pod, List<String> names, String what) {
      add(pod, Key.of(reason, names, what));
    }

    private void add(PodFacts pod, Key cause) {
      podsByCause.computeIfAbsent(cause, _ -> new ArrayList<>()).add(pod.ref());
    }

    void addNode(BlockReason reason, String what) {
      podsByCause.putIfAbsent(Key.of(reason, List.of(), what), new ArrayList<>());
    }

    void addRefused(PodFacts pod, Verdict verdict) {
      add(reasonOf(pod, verdict), pod, List.of(), verdict.message());
    }

    void addBudget(PodFacts pod, BudgetFacts budget) {
      String hint = pod.ready() ? "" : " (unhealthyPodEvictionPolicy AlwaysAllow would let it go)";
      String what = "budget " + budget.ref() + " allows no eviction: " + budget.standing() + hint;
      List<String> names = List.of(budget.ref().toString());
      add(
          pod,
          new Key(BlockReason.DISRUPTION_BUDGET, names, what, budget.next(), budget.neverAllows()));
    }

    void addSeveralBudgets(PodFacts pod, List<BudgetFacts> budgets) {
      List<String> names =
          budgets.stream().map(budget -> budget.ref().toString()).sorted().toList();
      String what = names.size() + " budgets guard it: " + NameLists.some(names);
      add(BlockReason.SEVERAL_BUDGETS, pod, names, what);
    }

    /** The API server is asked, and refuses if it has to. */
    void addGuess(PodFacts pod) {
      add(
          BlockReason.DISRUPTION_BUDGET,
          pod,
          List.of(),
          "its labels, or budgets of its namespace, are too large to tell which budgets guard it");
    }

    void addComesBack(PodFacts pod) {
      String owner = pod.controller().map(o -> o.kind() + " " + o.name()).orElse("its owner");
      add(
          BlockReason.COMES_BACK,
          pod,
          List.of(owner),
          owner + " puts a replacement on this very node");
    }

    /** A refusal by the server. */
    void addRefusal(PodFacts pod, Attempt.Refused refused) {
      BlockReason reason =
          switch (refused.answer()) {
            case EvictionAnswer.RefusedByBudget r -> BlockReason.DISRUPTION_BUDGET;
            case EvictionAnswer.SeveralBudgets r -> BlockReason.SEVERAL_BUDGETS;
            case EvictionAnswer.Throttled r -> BlockReason.SERVER_THROTTLING;
            case EvictionAnswer.NamespaceTerminating r -> BlockReason.NAMESPACE_TERMINATING;
            case EvictionAnswer.Denied r -> BlockReason.EVICTION_DENIED;
            case EvictionAnswer.Failed r -> BlockReason.REQUEST_FAILED;
            case EvictionAnswer.ServerInTrouble r -> BlockReason.REQUEST_FAILED;
          };
      add(reason, pod, List.of(), refused.answer().message());
    }

    void addToFinish(PodFacts pod) {
      String latest = pod.endsBy().map(end -> ", at the latest at " + end).orElse("");
      add(BlockReason.WAITING_TO_FINISH, pod, List.of(), "runs until it ends by itself" + latest);
    }

    void addToDelete(PodFacts pod, Instant at) {
      add(BlockReason.WAITING_TO_DELETE, pod, List.of(), "may run until " + at);
    }

    void addUnknown(List<String> what) {
      addNode(BlockReason.NOT_OBSERVED, "not observed yet: " + NameLists.some(what));
    }

    void addAndon(String reason) {
      addNode(BlockReason.ANDON_STOP, "everything is stopped: " + reason);
    }

    List<Blocker> list() {
      List<Blocker> blockers = new ArrayList<>();
      podsByCause.forEach(
          (cause, pods) ->
              blockers.add(
                  new Blocker(
                      cause.reason(),
                      pods,
                      cause.names(),
                      cause.what(),
                      cause.next(),
                      cause.namesFlag())));
      return List.copyOf(blockers);
    }
  }

  /** Why a refused pod stays. */
  static BlockReason reasonOf(PodFacts pod, Verdict verdict) {
    return switch (verdict.by()) {
      case NODE_WORK -> BlockReason.NODE_WORK;
      case LOCAL_STORAGE -> BlockReason.LOCAL_STORAGE;
      case DAEMON_SET ->
          switch (pod.daemonSet()) {
            case DaemonSetLookup.Exists() -> BlockReason.DAEMON_SET;
            case DaemonSetLookup.Missing() -> BlockReason.DAEMON_SET_GONE;
            case DaemonSetLookup.Failed failed -> BlockReason.DAEMON_SET_UNKNOWN;
            case DaemonSetLookup.NotADaemonSet() -> BlockReason.DAEMON_SET_UNKNOWN;
          };
      case RULE -> BlockReason.DEVICES_UNKNOWN;
      case UNMANAGED, POD_SELECTOR, RESOURCE, SKIP_DELETED, ENDED, MIRROR -> BlockReason.UNMANAGED;
    };
  }
}
