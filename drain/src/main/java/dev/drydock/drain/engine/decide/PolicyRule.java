package dev.drydock.drain.engine.decide;

import dev.drydock.contracts.LabelSelector;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a set of pods is treated. The first matching rule of a list applies.
 *
 * @param match selects the pods
 * @param tier tiers are drained in ascending order; pods without a rule are in tier 0
 * @param grace overrides the grace period of policy and pod
 */
public record PolicyRule(Match match, EvictionMode mode, int tier, Optional<Duration> grace) {

  /**
   * Empty lists match everything.
   *
   * @param namespaces globs with {@code *} and {@code ?}
   * @param pods as namespace/name
   */
  public record Match(
      List<String> namespaces, LabelSelector labels, List<String> ownerKinds, Set<String> pods) {
    public static final Match ANY =
        new Match(List.of(), LabelSelector.everything(), List.of(), Set.of());

    public Match {
      namespaces = List.copyOf(namespaces);
      ownerKinds = List.copyOf(ownerKinds);
      pods = Set.copyOf(pods);
    }

    public static Match namespace(String glob) {
      return new Match(List.of(glob), LabelSelector.everything(), List.of(), Set.of());
    }

    public static Match labels(LabelSelector selector) {
      return new Match(List.of(), selector, List.of(), Set.of());
    }

    public static Match ownedBy(String kind) {
      return new Match(List.of(), LabelSelector.everything(), List.of(kind), Set.of());
    }

    /** Matches only those of the pods that are named, as namespace/name. */
    public Match named(Set<String> names) {
      return new Match(namespaces, labels, ownerKinds, names);
    }

    boolean matches(PodFacts pod) {
      return inNamespace(pod.ref().namespace())
          && hasLabels(pod)
          && owned(pod)
          && (pods.isEmpty() || pods.contains(pod.ref().toString()));
    }

    /** A pod whose labels are not known is not spared by them. */
    private boolean hasLabels(PodFacts pod) {
      return pod.reduced() ? labels.requirements().isEmpty() : labels.matches(pod.labels());
    }

    private boolean inNamespace(String namespace) {
      return namespaces.isEmpty()
          || namespaces.stream().anyMatch(glob -> globMatches(glob, namespace));
    }

    private boolean owned(PodFacts pod) {
      return ownerKinds.isEmpty()
          || pod.controller().filter(owner -> ownerKinds.contains(owner.kind())).isPresent();
    }

    /** Scans both strings once; on a mismatch the last star matches one more character. */
    private static boolean globMatches(String glob, String text) {
      int g = 0;
      int t = 0;
      int star = -1;
      int taken = 0;
      while (t < text.length()) {
        if (g < glob.length() && glob.charAt(g) == '*') {
          star = g++;
          taken = t;
        } else if (g < glob.length()
            && (glob.charAt(g) == '?' || glob.charAt(g) == text.charAt(t))) {
          g++;
          t++;
        } else if (star >= 0) {
          g = star + 1;
          t = ++taken;
        } else {
          return false;
        }
      }
      while (g < glob.length() && glob.charAt(g) == '*') {
        g++;
      }
      return g == glob.length();
    }
  }

  public PolicyRule {
    grace.ifPresent(
        time ->
            DrainPolicy.check(
                !time.isNegative(), "a rule's grace period must not be negative, but is " + time));
  }

  public static PolicyRule of(Match match, EvictionMode mode) {
    return new PolicyRule(match, mode, 0, Optional.empty());
  }
}
