package dev.drydock.drain.engine.decide;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Why a pod is not gone yet, or a node not empty. A fixed set: its names are part of the API. */
public enum BlockReason {
  DISRUPTION_BUDGET("wait for more healthy pods, add replicas, or relax the budget"),
  BUDGET_TURN("nothing: it continues when that eviction is answered"),
  SEVERAL_BUDGETS(
      "change the budgets so that only one selects the pod; the eviction API refuses more"),
  FINALIZER("find out why the controller that set the finalizer does not remove it"),
  SLOW_TO_STOP("look at the pod's processes and the node's kubelet"),
  UNMANAGED("use --force: these pods are not recreated"),
  LOCAL_STORAGE("use --delete-emptydir-data: the data is lost"),
  DAEMON_SET("use --ignore-daemonsets to leave them running"),
  DAEMON_SET_GONE("use --force: these pods are not recreated"),
  DAEMON_SET_UNKNOWN("nothing: the lookup is retried; check the permission to read DaemonSets"),
  DEVICES_UNKNOWN("annotate the pods with their devices, or drain the whole node"),
  NODE_WORK("wait until that Job has ended; to stop it, delete the maintenance that it belongs to"),
  COMES_BACK(
      "delete the controller or scale it down, as deleting the pod is not enough; remove nodeName"
          + " from its pod template; or keep it off the node with a NoExecute taint"),
  NODE_UNREACHABLE(
      "bring the node back; or, once sure that it is off, let the drain force-delete its pods or"
          + " taint it out-of-service"),
  NOT_HELD("nothing: the drain begins when the node can be held"),
  NOT_CORDONED("cordon the node again to continue, or cancel the drain"),
  WAITING_TO_FINISH("wait, or set a deadline that cuts it short"),
  WAITING_TO_DELETE("wait for its time"),
  EVICTION_DENIED(
      "ask the owner of the webhook or of the permission; the eviction is retried meanwhile"),
  NAMESPACE_TERMINATING("wait: the deletion of the namespace includes the pod"),
  SERVER_THROTTLING("nothing: it continues when the API server accepts requests again"),
  REQUEST_FAILED("nothing: it is retried; check the API server if this persists"),
  NOT_SERVED("start 'drydock operator', which then serves the request"),
  ANDON_STOP("run 'drydock resume' when it is safe to continue"),
  NOT_OBSERVED("nothing: it continues when the API server has answered"),
  DEADLINE_PASSED("see what remains and why; then drain again with more time or an escalation");

  private final String next;

  BlockReason(String next) {
    this.next = next;
  }

  /** Whether a refused pod is only to be waited for: what refuses it ends by itself. */
  boolean isPassing() {
    return this == DAEMON_SET_UNKNOWN || this == NODE_WORK;
  }

  /** What a person can do about it. */
  public String next() {
    return next;
  }

  /** Whether that names a flag, which only people with a command for drains have. */
  boolean namesFlag() {
    return switch (this) {
      case UNMANAGED, LOCAL_STORAGE, DAEMON_SET, DAEMON_SET_GONE -> true;
      default -> false;
    };
  }

  /** The reason with this name in conditions, Events and metrics. */
  public static Optional<BlockReason> ofCamelCase(String name) {
    return Arrays.stream(values()).filter(reason -> reason.camelCase().equals(name)).findFirst();
  }

  /** The name in conditions, Events and metrics, e.g. {@code DisruptionBudget}. */
  public String camelCase() {
    StringBuilder name = new StringBuilder();
    for (String word : name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }
}
