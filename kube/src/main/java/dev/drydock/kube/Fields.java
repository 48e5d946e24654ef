package dev.drydock.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads single fields of API objects. Times and durations are capped: the API server accepts values
 * with which calculations would overflow, and anybody who may create a pod can write them.
 */
public final class Fields {
  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");

  /** No later time matters. */
  static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  /** About 68 years. */
  private static final long MOST_SECONDS = Integer.MAX_VALUE;

  /** What the API server accepts as the name of an object. */
  private static final int LONGEST_NAME = 253;

  private static final int LONGEST_MESSAGE = 2000;

  private Fields() {}

  /** Empty if the field is absent. */
  public static String text(JsonNode object, String field) {
    return object.path(field).asText("");
  }

  /** A name or UID of an object; empty if the field is absent, or too long to be one. */
  public static String name(JsonNode object, String field) {
    String text = text(object, field);
    return text.length() <= LONGEST_NAME ? text : "";
  }

  /** The beginning of a text for people, which others write. */
  public static String start(JsonNode object, String field) {
    String text = text(object, field);
    return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE) + "...";
  }

  /** Empty if the field is not a number; capped at about 68 years. */
  public static Optional<Duration> seconds(JsonNode object, String field) {
    JsonNode number = object.path(field);
    return number.isNumber()
        ? Optional.of(Duration.ofSeconds(Math.clamp(number.asLong(), -MOST_SECONDS, MOST_SECONDS)))
        : Optional.empty();
  }

  /** 0 if the field is not a number; capped. */
  public static int count(JsonNode object, String field) {
    return Math.clamp(object.path(field).asLong(0), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** {@link Instant#EPOCH} if the field is absent. */
  public static Instant time(JsonNode object, String field) {
    String text = text(object, field);
    return text.isEmpty() ? Instant.EPOCH : time(text);
  }

  /** A time in RFC 3339 format, capped to those before the year 2200. */
  public static Instant time(String text) {
    return capped(parse(text));
  }

  /** The time, or the nearest that calculations take. */
  public static Instant capped(Instant time) {
    if (time.isAfter(LATEST)) {
      return LATEST;
    }
    return time.isBefore(EARLIEST) ? EARLIEST : time;
  }

  /**
   * Objects contain many timestamps, all in whole seconds of UTC. Parsing these by position costs a
   * fraction of the general parser, which is not compiled yet when a short drain reads its pods.
   */
  private static Instant parse(String text) {
    boolean plain = text.length() == 20 && text.charAt(10) == 'T' && text.charAt(19) == 'Z';
    if (!plain || !isDigits(text, 0, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19)) {
      return Instant.parse(text);
    }
    LocalDate day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
    int hour = number(text, 11, 13);
    int minute = number(text, 14, 16);
    int second = number(text, 17, 19);
    if (hour > 23 || minute > 59 || second > 59) {
      return Instant.parse(text);
    }
    return Instant.ofEpochSecond(((day.toEpochDay() * 24 + hour) * 60 + minute) * 60 + second);
  }

  private static boolean isDigits(String text, int... ranges) {
    for (int i = 0; i < ranges.length; i += 2) {
      for (int at = ranges[i]; at < ranges[i + 1]; at++) {
        if (text.charAt(at) < '0' || text.charAt(at) > '9') {
          return false;
        }
      }
    }
    return true;
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  public static Map<String, String> texts(JsonNode object) {
    Map<String, String> map = new HashMap<>();
    object.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue().asText("")));
    return map;
  }

  public static List<String> list(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText("")));
    return texts;
  }
}
