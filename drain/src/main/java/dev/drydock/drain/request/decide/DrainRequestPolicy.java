package dev.drydock.drain.request.decide;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.AtDeadline;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.Policy;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.EvictionMode;
import dev.drydock.drain.engine.decide.PolicyRule;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a DrainRequest. A request cannot ask its author, so unlike on the command line
 * DaemonSets are ignored and emptyDir data may be lost unless the request says otherwise.
 */
public final class DrainRequestPolicy {
  private DrainRequestPolicy() {}

  static DrainPolicy of(DrainRequestSpec spec) {
    DrainPolicy.Builder policy = builder(spec.policy());
    onlyThese(policy, spec, waitsForJobs(spec.policy()));
    return policy.build();
  }

  /** For a request that names no pods. */
  public static DrainPolicy of(@Nullable Policy policy) {
    return builder(policy).build();
  }

  private static boolean waitsForJobs(@Nullable Policy policy) {
    return policy != null && given(policy.waitForJobs(), false);
  }

  private static DrainPolicy.Builder builder(@Nullable Policy policyOrNone) {
    Policy given = Objects.requireNonNullElse(policyOrNone, Policy.DEFAULT);
    boolean daemonSetsStay = given(given.ignoreDaemonSets(), true);
    DrainPolicy.Builder policy =
        DrainPolicy.builder()
            .force(given(given.force(), false))
            .daemonSets(
                daemonSetsStay ? DrainPolicy.DaemonSets.IGNORE : DrainPolicy.DaemonSets.REFUSE)
            .emptyDirDataMayGo(given(given.deleteEmptyDirData(), true))
            .deleteInsteadOfEvict(given(given.disableEviction(), false))
            .gracePeriodSeconds(given(given.gracePeriodSeconds(), -1))
            .skipWait(Duration.ofSeconds(given(given.skipWaitForDeleteSeconds(), 0)))
            .waitForJobs(waitsForJobs(given));
    if (given.podSelector() != null) {
      policy.podSelector(LabelSelector.parse(given.podSelector()));
    }
    if (given.requestsResource() != null) {
      policy.requestsResource(given.requestsResource());
    }
    if (given.forceAfterSeconds() != null) {
      policy.forceAfter(Duration.ofSeconds(given.forceAfterSeconds()));
    }
    addDeadline(policy, given);
    return policy;
  }

  private static void addDeadline(DrainPolicy.Builder policy, Policy given) {
    if (given.deadlineSeconds() == null) {
      DrainPolicy.check(given.atDeadline() == null, "atDeadline needs deadlineSeconds");
      return;
    }
    AtDeadline then = Objects.requireNonNullElse(given.atDeadline(), AtDeadline.Fail);
    policy.deadline(
        Duration.ofSeconds(given.deadlineSeconds()),
        switch (then) {
          case Fail -> DrainPolicy.AtDeadline.FAIL;
          case Delete -> DrainPolicy.AtDeadline.DELETE;
          case ForceDelete -> DrainPolicy.AtDeadline.FORCE_DELETE;
        });
  }

  /** If the request names pods, all others are left alone. */
  private static void onlyThese(
      DrainPolicy.Builder policy, DrainRequestSpec spec, boolean waitForJobs) {
    if (spec.podsToDrain() == null) {
      return;
    }
    Set<String> pods =
        spec.podsToDrain().entrySet().stream()
            .flatMap(entry -> entry.getValue().stream().map(name -> entry.getKey() + "/" + name))
            .collect(Collectors.toSet());
    if (pods.isEmpty()) {
      return;
    }
    if (waitForJobs) {
      policy.rule(
          PolicyRule.of(PolicyRule.Match.ownedBy("Job").named(pods), new EvictionMode.LetFinish()));
    }
    policy.rule(PolicyRule.of(PolicyRule.Match.ANY.named(pods), new EvictionMode.EvictNow()));
    policy.rule(PolicyRule.of(PolicyRule.Match.ANY, new EvictionMode.LeaveAlone()));
  }

  private static boolean given(@Nullable Boolean value, boolean otherwise) {
    return value == null ? otherwise : value;
  }

  private static int given(@Nullable Integer value, int otherwise) {
    return value == null ? otherwise : value;
  }
}
