package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.Limits;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How many nodes may be out of service in each failure domain of one kind.
 *
 * <p>A percentage is rounded down, so that it is never exceeded, but to at least one node: in a
 * domain of three nodes, 10% lets one node leave, because otherwise the domain could never be
 * maintained. A budget that never lets a node leave, 0 or 0%, is refused.
 *
 * @param key the label whose values are the domains; absent: all nodes are one
 */
public record BudgetLevel(Optional<String> key, int amount, boolean percent) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(%?)");

  /** The budget of a campaign if neither it nor its class names one: one node at a time. */
  public static final BudgetLevel DEFAULT = new BudgetLevel(Optional.empty(), 1, false);

  /** The domain of nodes without the label. */
  static final String NONE = "(none)";

  /**
   * Parses the value in a class or a campaign.
   *
   * @throws IllegalArgumentException with one line for the user, without the field's name
   */
  public static BudgetLevel of(DomainBudget budget) {
    String text = budget.maxUnavailable();
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is neither a number of nodes nor a percentage; write 2 or 10%");
    }
    int amount = Math.min(Integer.parseInt(matcher.group(1)), Limits.MOST_NODES);
    boolean percent = !matcher.group(2).isEmpty();
    if (amount == 0) {
      throw new IllegalArgumentException(
          text + " never lets a node leave; write at least 1 or 1%, or pause the campaign");
    }
    if (percent && amount > 100) {
      throw new IllegalArgumentException(text + " is more than all nodes; write at most 100%");
    }
    return new BudgetLevel(Optional.ofNullable(budget.key()), amount, percent);
  }

  /** All valid levels; invalid ones were refused when they were written. */
  public static List<BudgetLevel> of(@Nullable List<DomainBudget> budgets) {
    return budgets == null ? List.of() : budgets.stream().map(BudgetLevel::of).toList();
  }

  /** For people: how many nodes may be out at once. */
  public String limit() {
    return "at most %d%s%s"
        .formatted(
            amount,
            percent ? "%" : "",
            key.map(label -> " of those with the same " + label).orElse(percent ? " of all" : ""));
  }

  int allowed(int nodes) {
    return percent ? Math.max(1, (int) ((long) nodes * amount / 100)) : amount;
  }

  String domainOf(FleetNode node) {
    return key.map(label -> node.labels().getOrDefault(label, NONE)).orElse("");
  }

  /** For people. */
  String describe(String domain) {
    return key.map(label -> label + "=" + domain).orElse("the cluster");
  }
}
