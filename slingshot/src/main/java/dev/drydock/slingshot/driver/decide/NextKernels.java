package dev.drydock.slingshot.driver.decide;

import java.math.BigInteger;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Kernels that are installed on a node and not booted. Those that are newer than the running one
 * are what a reboot is likely to boot.
 */
public final class NextKernels {
  private NextKernels() {}

  /** Whether a kernel has the driver's modules. */
  public sealed interface Readiness {
    /** They are there, and are those that were built. */
    record Ready() implements Readiness {}

    /** Not known yet. */
    record Pending() implements Readiness {}

    /**
     * They cannot be had.
     *
     * @param message one line
     */
    record Missing(FailureReason reason, String message) implements Readiness {}
  }

  /** A condition without its times. */
  public record Said(boolean missing, String reason, String message) {}

  /** The kernels to prepare, the one that is most likely to boot first. */
  public static List<String> order(Collection<String> installed, String running) {
    return installed.stream()
        .filter(kernel -> !kernel.equals(running))
        .sorted(NEWEST_FIRST)
        .toList();
  }

  /** Only newer kernels count: for older ones headers are often gone, and nobody boots them. */
  public static boolean isNewer(String kernel, String running) {
    return NEWEST_FIRST.compare(kernel, running) < 0;
  }

  private static final Pattern PART = Pattern.compile("[0-9]+|[A-Za-z]+");

  private static final Comparator<String> NEWEST_FIRST =
      ((Comparator<String>) NextKernels::compare).reversed();

  /** Part by part, by numbers where both have them; a number is newer than a word. */
  static int compare(String one, String other) {
    List<String> left = parts(one);
    List<String> right = parts(other);
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      String a = left.get(i);
      String b = right.get(i);
      boolean number = Character.isDigit(a.charAt(0));
      boolean otherNumber = Character.isDigit(b.charAt(0));
      int order =
          number && otherNumber
              ? new BigInteger(a).compareTo(new BigInteger(b))
              : number != otherNumber ? Boolean.compare(number, otherNumber) : a.compareTo(b);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private static List<String> parts(String version) {
    return PART.matcher(version).results().map(MatchResult::group).toList();
  }

  /** Whether a reboot would leave the node without its driver; empty while that is not known. */
  public static Optional<Said> condition(Map<String, Readiness> kernels, String running) {
    List<String> newer =
        order(kernels.keySet(), running).stream().filter(each -> isNewer(each, running)).toList();
    Map<String, Readiness.Missing> missing = new LinkedHashMap<>();
    newer.forEach(
        each -> {
          if (kernels.get(each) instanceof Readiness.Missing why) {
            missing.put(each, why);
          }
        });
    if (!missing.isEmpty()) {
      return Optional.of(
          new Said(
              true,
              missing.values().iterator().next().reason().name(),
              missing.entrySet().stream()
                  .map(each -> each.getKey() + ": " + each.getValue().message())
                  .collect(Collectors.joining("; "))));
    }
    if (newer.stream().anyMatch(each -> kernels.get(each) instanceof Readiness.Pending)) {
      return Optional.empty();
    }
    return Optional.of(
        new Said(
            false,
            "Ready",
            newer.isEmpty()
                ? "no newer kernel is installed"
                : "the driver is ready for " + String.join(", ", newer)));
  }
}
