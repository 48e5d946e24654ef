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

/** The {@code -o} option: one value, shown as a table for people or whole for programs. */
@Command(addMethodSubcommands = false)
public final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Output format: ${COMPLETION-CANDIDATES}. Default: a table.")
  private @Nullable OutputFormat format;

  /**
   * Prints {@code value} as JSON or YAML if that was asked for, else lets {@code text} print it for
   * a person.
   */
  public void print(Terminal terminal, Object value, Consumer<Boolean> text) {
    choose(terminal, text, asked -> terminal.out().print(text(asked, value)));
  }

  /** Prints for a person, or for programs in the format they asked for. */
  public void choose(Terminal terminal, Consumer<Boolean> text, Consumer<OutputFormat> whole) {
    if (format == null) { // not a case of the switch: "case null" costs ten milliseconds at start
      text.accept(false);
    } else {
      switch (format) {
        case json, yaml -> whole.accept(format);
        case wide -> text.accept(true);
      }
    }
    terminal.out().flush();
  }

  /** The whole value as lines of JSON or else YAML. */
  public static String text(OutputFormat format, Object value) {
    return format == OutputFormat.json
        ? write(new ObjectMapper(), value) + System.lineSeparator()
        : write(new ObjectMapper(yamlFactory()), value);
  }

  private static YAMLFactory yamlFactory() {
    return YAMLFactory.builder()
        .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
        .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
        // or a text that looks like a number would be one for whoever reads it
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
