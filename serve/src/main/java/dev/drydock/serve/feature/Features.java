package dev.drydock.serve.feature;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.NearestName;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Features in the order of their names.
 *
 * @param all of them
 */
public record Features(List<Feature> all) {
  public Features {
    all = all.stream().sorted(Comparator.comparing(Feature::part)).toList();
  }

  /** Those on the class path. */
  public static Features load() {
    return new Features(
        ServiceLoader.load(Feature.class).stream().map(ServiceLoader.Provider::get).toList());
  }

  /** Those that run where no parts are named. */
  public Features byDefault() {
    return new Features(all.stream().filter(each -> !each.onlyIfNamed()).toList());
  }

  public List<String> parts() {
    return all.stream().map(Feature::part).toList();
  }

  /** By name, or by that of a group: the parts that it stands for. */
  private SortedMap<String, Set<String>> names() {
    SortedMap<String, Set<String>> names = new TreeMap<>();
    for (Feature each : all) {
      Stream.concat(Stream.of(each.part()), each.groups().stream())
          .forEach(name -> names.computeIfAbsent(name, _ -> new TreeSet<>()).add(each.part()));
    }
    return names;
  }

  /**
   * Only those that are named, by themselves or by a group, and what these need.
   *
   * @throws CommandFailure of wrong usage for a name that none has
   */
  public Features only(List<String> parts) {
    SortedMap<String, Set<String>> names = names();
    Set<String> named = new HashSet<>();
    for (String part : parts) {
      Set<String> meant = names.get(part);
      if (meant == null) {
        throw CommandFailure.usage(
            "--parts: there is no part \"%s\"; %s"
                .formatted(part, NearestName.meant(part, names.keySet())));
      }
      named.addAll(meant);
    }
    Set<String> wanted = new HashSet<>(named);
    all.stream()
        .filter(each -> named.contains(each.part()))
        .forEach(each -> wanted.addAll(each.needs()));
    return new Features(all.stream().filter(each -> wanted.contains(each.part())).toList());
  }

  public List<Class<? extends CustomResource<?, ?>>> kinds() {
    return all.stream()
        .<Class<? extends CustomResource<?, ?>>>flatMap(each -> each.kinds().stream())
        .toList();
  }

  /** Each once, also if several features read it. */
  public List<Setting<?>> settings() {
    return all.stream().<Setting<?>>flatMap(each -> each.settings().stream()).distinct().toList();
  }

  public List<HoldOwner> holdOwners() {
    return all.stream().flatMap(each -> each.holdOwners().stream()).toList();
  }

  /** The parts that release holds which expire or lose their owner. */
  public List<String> holdReleasers() {
    return all.stream().filter(Feature::releasesHolds).map(Feature::part).toList();
  }

  /** What each does, a line each for the help of the operator, and what they need of each other. */
  public List<String> summaries() {
    return Stream.concat(
            Stream.concat(all.stream().map(Features::line), groupLines()),
            holdReleasers().stream()
                .map(
                    "Only an operator that also runs part %s releases holds that expire or lose their owner."
                        ::formatted))
        .toList();
  }

  private Stream<String> groupLines() {
    return names().entrySet().stream()
        .filter(name -> !parts().contains(name.getKey()))
        .map(name -> "  %s: %s".formatted(name.getKey(), String.join(" and ", name.getValue())));
  }

  private static String line(Feature each) {
    return "  %s: %s%s"
        .formatted(each.part(), each.summary(), each.onlyIfNamed() ? "; only if named" : "");
  }

  /** Tasks first, then the drains that they request. */
  public List<StatusPart> status() {
    return all.stream()
        .flatMap(each -> each.status().stream())
        .sorted(Comparator.comparingInt(StatusPart::rank).reversed())
        .toList();
  }

  public Map<String, HistoryPhase> historyPhases() {
    Map<String, HistoryPhase> phases = new HashMap<>();
    for (Feature feature : all) {
      feature
          .historyPhases()
          .forEach(
              (word, phase) -> {
                if (phases.put(word, phase) != null) {
                  throw new IllegalStateException(
                      "two features use the history's word " + word + ", one is " + feature.part());
                }
              });
    }
    return phases;
  }

  public Stream<HistoryPart> history(HistoryReader reader) {
    return all.stream().flatMap(each -> each.history(reader).stream());
  }
}
