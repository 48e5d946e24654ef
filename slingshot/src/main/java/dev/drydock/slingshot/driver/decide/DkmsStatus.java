package dev.drydock.slingshot.driver.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code dkms status} says. */
public record DkmsStatus(List<Entry> entries) {
  /** {@code NAME/VERSION, KERNEL, ARCH: STATE NOTES}; older releases have a comma for the slash. */
  private static final Pattern LINE =
      Pattern.compile(
          "(?<name>[^,/:\\s]+)(?:/|,\\s*)(?<version>[^,:\\s]+)"
              + "(?:,\\s*(?<kernel>[^,:\\s]+),\\s*(?<arch>[^,:\\s]+))?:\\s*(?<state>added|built|installed)\\b(?<notes>.*)");

  /** How far a package is for a kernel. */
  public enum State {
    ABSENT,
    ADDED,
    BUILT,
    INSTALLED,
    /** It claims to be installed, and warns that the file in place is another one. */
    DIFFERS
  }

  /** One line; kernel and architecture are empty for a package that is only added. */
  public record Entry(DkmsPackage dkmsPackage, String kernel, String arch, State state) {}

  public static DkmsStatus parse(String output) {
    List<Entry> entries = new ArrayList<>();
    output
        .lines()
        .forEach(
            line -> {
              Matcher found = LINE.matcher(line.strip());
              if (found.matches()) {
                entries.add(entry(found));
              }
            });
    return new DkmsStatus(List.copyOf(entries));
  }

  private static Entry entry(Matcher found) {
    boolean warns = found.group("notes").contains("WARNING!");
    State state =
        switch (found.group("state")) {
          case "added" -> State.ADDED;
          case "built" -> State.BUILT;
          default -> warns ? State.DIFFERS : State.INSTALLED;
        };
    String kernel = found.group("kernel");
    String arch = found.group("arch");
    return new Entry(
        new DkmsPackage(found.group("name"), found.group("version")),
        kernel == null ? "" : kernel,
        arch == null ? "" : arch,
        state);
  }

  /** How far a package is for a kernel; one that is built for others only is added. */
  public State of(DkmsPackage wanted, String kernel) {
    State best = State.ABSENT;
    for (Entry entry : entries) {
      if (entry.dkmsPackage().equals(wanted)) {
        State here = entry.kernel().equals(kernel) ? entry.state() : State.ADDED;
        best = here.compareTo(best) > 0 ? here : best;
      }
    }
    return best;
  }
}
