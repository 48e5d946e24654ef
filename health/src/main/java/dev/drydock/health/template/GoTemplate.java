package dev.drydock.health.template;

import dev.drydock.health.template.TemplateNode.Block;
import java.util.Map;

/**
 * A template in the language of Go's text/template, as that executes it: all of its actions and
 * functions. Not supported: complex numbers, {@code %#v}, {@code *} and {@code [n]} in formats,
 * fractions in hexadecimal, printing a whole structure, and methods with arguments. Safe for use by
 * many threads.
 */
public final class GoTemplate {
  private final String name;
  private final Map<String, Block> templates;

  private GoTemplate(String name, Map<String, Block> templates) {
    this.name = name;
    this.templates = templates;
  }

  /**
   * Parses a template.
   *
   * @param name for messages
   * @throws TemplateInvalid if it is none
   */
  public static GoTemplate parse(String name, String text) {
    return new GoTemplate(name, TemplateParser.parse(name, text));
  }

  /**
   * Executes it.
   *
   * @param data what dot is: a value as {@link TemplateValues} lists them, or a String
   * @throws TemplateFailed if it cannot be executed with this data
   */
  public TemplateText execute(Object data) {
    return new TemplateExecution(name, templates).run(data);
  }
}
