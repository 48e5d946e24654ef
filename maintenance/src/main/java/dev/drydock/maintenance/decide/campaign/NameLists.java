package dev.drydock.maintenance.decide.campaign;

import java.util.List;
import java.util.stream.Collectors;

/** Lists for people, of bounded length regardless of the cluster's size. */
final class NameLists {
  private static final int MOST = 5;

  private NameLists() {}

  static String some(List<String> names) {
    String more = names.size() > MOST ? " and " + (names.size() - MOST) + " more" : "";
    return names.stream().limit(MOST).collect(Collectors.joining(", ", "", more));
  }
}
