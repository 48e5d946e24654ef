package dev.drydock.sim.call;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Orders versions of a group by preference: stable, beta, alpha, newest first. */
final class VersionPriority implements Comparator<String> {
  private static final Pattern VERSION = Pattern.compile("v(\\d+)(?:(alpha|beta)(\\d+))?");
  private static final List<String> STAGES = List.of("alpha", "beta", "");

  @Override
  public int compare(String one, String other) {
    Matcher left = VERSION.matcher(one);
    Matcher right = VERSION.matcher(other);
    boolean leftKnown = left.matches();
    boolean rightKnown = right.matches();
    if (!leftKnown || !rightKnown) {
      // other names come last, alphabetically
      return leftKnown == rightKnown ? one.compareTo(other) : leftKnown ? -1 : 1;
    }
    int byStage = Integer.compare(stage(right), stage(left));
    int byMajor = Integer.compare(number(right, 1), number(left, 1));
    return byStage != 0 ? byStage : byMajor != 0 ? byMajor : number(right, 3) - number(left, 3);
  }

  private static int stage(Matcher version) {
    return STAGES.indexOf(version.group(2) == null ? "" : version.group(2));
  }

  private static int number(Matcher version, int group) {
    return version.group(group) == null ? 0 : Integer.parseInt(version.group(group));
  }
}
