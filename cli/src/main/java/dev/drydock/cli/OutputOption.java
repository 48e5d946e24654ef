package dev.drydock.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code -o} option: a table for people, or the whole value for programs. */
@Command(addMethodSubcommands = false)
public final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Output format: ${COMPLETION-CANDIDATES}. Default: a table.")
  private @Nullable OutputFormat format;

  /**
   * Prints {@code value} as JSON or YAML if {@code -o} asks for it; otherwise calls {@code text}.
   */
  public void print(Terminal terminal, Object value, Consumer<Boolean> text) {
    choose(terminal, text, asked -> terminal.out().print(text(asked, value)));
  }

  /** Prints text for people, or the format that {@code -o} asks for. */
  public void choose(Terminal terminal, Consumer<Boolean> text, Consumer<OutputFormat> whole) {
    if (format == null) { // an if, because "case null" in a switch costs ten milliseconds at start
      text.accept(false);
    } else {
      switch (format) {
        case json, yaml -> whole.accept(format);
        case wide -> text.accept(true);
      }
    }
  }

  /** The whole value as JSON or YAML lines. */
  public static String text(OutputFormat format, Object value) {
    return format == OutputFormat.json
        ? write(new ObjectMapper(), value) + System.lineSeparator()
        : write(new ObjectMapper(yamlFactory()), value);
  }

  private static YAMLFactory yamlFactory() {
    return YAMLFactory.builder()
        .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
        .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
        // otherwise readers would take a text that looks like a number for a number
        .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
        .build();
  }

  private static String write(ObjectMapper mapper, Object value) {
    try {
      return mapper
          .registerModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .setDefaultPropertyInclusion(JsonInclude.Include.NON_ABSENT)
          .writerWithDefaultPrettyPrinter()
          .writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot print " + value.getClass().getSimpleName(), e);
    }
  }
}
