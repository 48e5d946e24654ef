package dev.drydock.health.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A text of which it is known what came from the data and what from the template. Whoever parses
 * the text can keep data from changing its structure.
 */
public record TemplateText(List<Segment> segments) {
  public static final TemplateText EMPTY = new TemplateText(List.of());

  /**
   * A part.
   *
   * @param text as Go would write it
   * @param data the value that it stands for, if it came from the data; differs from the text only
   *     if that is escaped for use between quotes
   */
  public record Segment(String text, Optional<String> data) {}

  public TemplateText {
    segments = List.copyOf(segments);
  }

  static TemplateText literal(String text) {
    return text.isEmpty() ? EMPTY : new TemplateText(List.of(new Segment(text, Optional.empty())));
  }

  /** Also an empty one is told from nothing. */
  static TemplateText data(String text) {
    return escaped(text, text);
  }

  static TemplateText escaped(String text, String value) {
    return new TemplateText(List.of(new Segment(text, Optional.of(value))));
  }

  /** The whole text. */
  public String text() {
    return segments.size() == 1
        ? segments.getFirst().text()
        : segments.stream().map(Segment::text).collect(Collectors.joining());
  }

  boolean hasData() {
    return segments.stream().anyMatch(segment -> segment.data().isPresent());
  }

  /** Another text that was made of this one. */
  TemplateText changed(String other) {
    return hasData() ? data(other) : literal(other);
  }

  @Override
  public String toString() {
    return text();
  }

  /** Puts texts together. */
  static final class Builder {
    private final List<Segment> segments = new ArrayList<>();
    private final StringBuilder literal = new StringBuilder();
    private int length;

    Builder add(String text) {
      literal.append(text);
      length += text.length();
      return this;
    }

    Builder add(TemplateText text) {
      for (Segment segment : text.segments()) {
        if (segment.data().isEmpty()) {
          add(segment.text());
        } else {
          flush();
          segments.add(segment);
          length += segment.text().length();
        }
      }
      return this;
    }

    int length() {
      return length;
    }

    private void flush() {
      if (!literal.isEmpty()) {
        segments.add(new Segment(literal.toString(), Optional.empty()));
        literal.setLength(0);
      }
    }

    TemplateText build() {
      flush();
      return segments.isEmpty() ? EMPTY : new TemplateText(segments);
    }
  }
}
