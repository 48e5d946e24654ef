package dev.drydock.serve.feature;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.GoDuration;
import dev.drydock.serve.web.ListenAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How the values of a setting are written and parsed. Invalid values are reported to the problems
 * and replaced by a default.
 *
 * @param label the placeholder of the value in the help
 * @param isList a YAML list instead of one word
 * @param shown the value as it may be printed, without what may be a secret
 */
public record SettingKind<T>(
    String label,
    boolean isList,
    BiFunction<JsonNode, SettingProblems, T> reader,
    UnaryOperator<JsonNode> shown) {
  private static final Pattern NAME_PATTERN =
      Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

  public static final SettingKind<Duration> DURATION = text("DURATION", SettingKind::duration);
  public static final SettingKind<Boolean> SWITCH = text("true|false", SettingKind::isOn);
  public static final SettingKind<Integer> PORT = text("PORT", SettingKind::port);
  public static final SettingKind<Integer> COUNT = text("NUMBER", SettingKind::count);
  public static final SettingKind<InetSocketAddress> ADDRESS =
      text("[HOST]:PORT", SettingKind::address);
  public static final SettingKind<String> NAME = text("NAME", SettingKind::name);

  /** Absent if nothing is written. */
  public static final SettingKind<Optional<Path>> FOLDER = path("FOLDER");

  /** Absent if nothing is written. */
  public static final SettingKind<Optional<Path>> FILE = path("FILE");

  private static SettingKind<Optional<Path>> path(String label) {
    return text(
        label, (text, problems) -> Optional.of(text).filter(path -> !path.isBlank()).map(Path::of));
  }

  /** One word. */
  public static <T> SettingKind<T> text(
      String label, BiFunction<String, SettingProblems, T> reader) {
    return new SettingKind<>(
        label,
        false,
        (value, problems) -> {
          if (value.isContainerNode()) {
            problems.add("", "should be one value");
          }
          return reader.apply(value.asText(), problems);
        },
        UnaryOperator.identity());
  }

  /** One of the names of an enum, in lower case. */
  public static <E extends Enum<E>> SettingKind<E> word(E harmless) {
    List<String> words =
        Arrays.stream(harmless.getDeclaringClass().getEnumConstants())
            .map(each -> each.name().toLowerCase(Locale.ROOT))
            .toList();
    return text(
        String.join("|", words),
        (text, problems) -> {
          if (!words.contains(text)) {
            problems.wanted(text, words.stream().collect(Collectors.joining(" or ")));
            return harmless;
          }
          return Enum.valueOf(harmless.getDeclaringClass(), text.toUpperCase(Locale.ROOT));
        });
  }

  public static <T> SettingKind<T> list(BiFunction<JsonNode, SettingProblems, T> reader) {
    return new SettingKind<>("YAML", true, reader, UnaryOperator.identity());
  }

  /** This kind, printed in another way. */
  public SettingKind<T> shownAs(UnaryOperator<JsonNode> printed) {
    return new SettingKind<>(label, isList, reader, printed);
  }

  private static Duration duration(String text, SettingProblems problems) {
    Optional<Duration> time = GoDuration.find(text).filter(Duration::isPositive);
    if (time.isEmpty()) {
      problems.wanted(text, "a duration greater than 0, such as 5h or 1h30m");
    }
    return time.orElse(Duration.ofHours(1));
  }

  /** A duration, not shorter than this one. */
  public static SettingKind<Duration> durationOfAtLeast(Duration least) {
    return text(
        "DURATION",
        (text, problems) -> {
          Duration time = duration(text, problems);
          if (time.compareTo(least) < 0) {
            problems.wanted(text, "a duration of at least " + GoDuration.words(least));
          }
          return time;
        });
  }

  private static boolean isOn(String text, SettingProblems problems) {
    if (!List.of("true", "false").contains(text)) {
      problems.wanted(text, "true or false");
    }
    return Boolean.parseBoolean(text);
  }

  private static int port(String text, SettingProblems problems) {
    boolean port = text.matches("\\d{1,5}") && Integer.parseInt(text) <= ListenAddress.LAST_PORT;
    if (!port) {
      problems.wanted(text, "a port from 0 to " + ListenAddress.LAST_PORT);
    }
    return port ? Integer.parseInt(text) : 0;
  }

  private static int count(String text, SettingProblems problems) {
    boolean number = text.matches("\\d{1,9}");
    if (!number) {
      problems.wanted(text, "a number from 0 to 999999999");
    }
    return number ? Integer.parseInt(text) : 0;
  }

  private static InetSocketAddress address(String text, SettingProblems problems) {
    Optional<InetSocketAddress> address = ListenAddress.find(text);
    if (address.isEmpty()) {
      problems.wanted(text, "an address such as :8081 or 127.0.0.1:8081");
    }
    return address.orElseGet(() -> new InetSocketAddress(0));
  }

  private static String name(String text, SettingProblems problems) {
    if (!NAME_PATTERN.matcher(text).matches()) {
      problems.wanted(text, "a name of lowercase letters, digits, '-' and '.'");
    }
    return text;
  }
}
