package dev.drydock.drain.request.decide;

import dev.drydock.contracts.ShortText;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.PodRef;
import java.util.ArrayList;
import java.util.List;

/**
 * The blockers of a drain as a DrainRequest's status names them: bounded in number and length,
 * because tenants choose how many pods and budgets there are, and their names.
 */
final class ReportedBlockers {
  private static final int MOST = 20;
  private static final int MOST_PODS = 50;
  private static final int LONGEST_TEXT = 300;

  /** The length of all blockers together, in characters: a quarter of what is kept of a request. */
  private static final int LONGEST = 16_000;

  private final List<DrainRequestStatus.Blocker> reported = new ArrayList<>();
  private int room = LONGEST;

  private ReportedBlockers() {}

  static List<DrainRequestStatus.Blocker> of(List<Blocker> blockers) {
    ReportedBlockers result = new ReportedBlockers();
    for (Blocker blocker : blockers) {
      if (result.reported.size() == MOST || result.room < 2 * LONGEST_TEXT) {
        result.addRest(blockers.subList(result.reported.size(), blockers.size()));
        break;
      }
      result.add(blocker);
    }
    return List.copyOf(result.reported);
  }

  private void add(Blocker blocker) {
    String next = cut(blocker.next());
    room -= next.length() + LONGEST_TEXT;
    List<String> pods = new ArrayList<>();
    for (PodRef pod : blocker.pods()) {
      String name = pod.toString();
      if (pods.size() == MOST_PODS || room < name.length()) {
        break;
      }
      room -= name.length();
      pods.add(name);
    }
    int more = blocker.pods().size() - pods.size();
    String message = cut(blocker.what()) + (more == 0 ? "" : " (and %d more pods)".formatted(more));
    reported.add(new DrainRequestStatus.Blocker(blocker.reason().camelCase(), message, next, pods));
  }

  private void addRest(List<Blocker> rest) {
    Blocker first = rest.getFirst();
    reported.add(
        new DrainRequestStatus.Blocker(
            first.reason().camelCase(),
            "and %d more".formatted(rest.size()),
            cut(first.next()),
            List.of()));
  }

  private static String cut(String text) {
    return ShortText.of(text, LONGEST_TEXT);
  }
}
