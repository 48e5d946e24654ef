package dev.drydock.health.remediation.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What was done about a node, all of it kept on the Node.
 *
 * @param attempts in the order in which they were made
 */
public record RemediationJournal(List<RemediationAttempt> attempts) {
  public static final RemediationJournal EMPTY = new RemediationJournal(List.of());

  /** More are not kept, so that they fit on the Node. */
  private static final int MOST = 20;

  public RemediationJournal {
    attempts = List.copyOf(attempts);
  }

  RemediationJournal with(RemediationAttempt attempt) {
    List<RemediationAttempt> more = new ArrayList<>(attempts);
    more.add(attempt);
    RemediationJournal longer = new RemediationJournal(more);
    for (RemediationAttempt old : attempts) {
      if (more.size() > MOST && !longer.isNeeded(old, attempt.episode())) {
        more.remove(old);
      }
    }
    return new RemediationJournal(more);
  }

  /** Whether it may still be under way, or says how many there were of its group. */
  private boolean isNeeded(RemediationAttempt attempt, String episode) {
    return attempt.isOpen() || last(episode, attempt.group()).filter(attempt::equals).isPresent();
  }

  public RemediationJournal changed(
      RemediationAttempt attempt, UnaryOperator<RemediationAttempt> change) {
    return new RemediationJournal(
        attempts.stream().map(each -> each.equals(attempt) ? change.apply(each) : each).toList());
  }

  /** The last one of a group in an episode. */
  Optional<RemediationAttempt> last(String episode, String group) {
    return attempts.reversed().stream()
        .filter(attempt -> attempt.episode().equals(episode) && attempt.group().equals(group))
        .findFirst();
  }

  public List<RemediationAttempt> ofEpisode(String episode) {
    return attempts.stream().filter(attempt -> attempt.episode().equals(episode)).toList();
  }

  public List<RemediationAttempt> open() {
    return attempts.stream().filter(RemediationAttempt::isOpen).toList();
  }

  /** Whether something is to be done although the node is in no quarantine. */
  public boolean isSettled() {
    return attempts.stream().noneMatch(each -> each.isOpen() || each.outcome().isEmpty());
  }
}
