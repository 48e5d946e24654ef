package dev.drydock.health.template;

import java.util.List;
import java.util.Optional;

/** A parsed piece of a template. */
sealed interface TemplateNode {
  int line();

  record Text(String text, int line) implements TemplateNode {}

  record Action(Pipe pipe, int line) implements TemplateNode {}

  record If(Pipe pipe, Block body, Block otherwise, int line) implements TemplateNode {}

  record With(Pipe pipe, Block body, Block otherwise, int line) implements TemplateNode {}

  record Range(Pipe pipe, Block body, Block otherwise, int line) implements TemplateNode {}

  record Break(int line) implements TemplateNode {}

  record Continue(int line) implements TemplateNode {}

  record Call(String name, Optional<Pipe> pipe, int line) implements TemplateNode {}

  /** Several, one after the other. */
  record Block(List<TemplateNode> nodes) {
    static final Block NONE = new Block(List.of());

    public Block {
      nodes = List.copyOf(nodes);
    }

    boolean isBlank() {
      return nodes.stream().allMatch(node -> node instanceof Text text && text.text().isBlank());
    }
  }

  /**
   * Commands, each of which gets the value of the one before as its last argument.
   *
   * @param variables that get the value
   * @param assigns whether the variables exist already
   */
  record Pipe(List<String> variables, boolean assigns, List<Command> commands, int line) {
    public Pipe {
      variables = List.copyOf(variables);
      commands = List.copyOf(commands);
    }
  }

  /** The first is called with the others, if it can be. */
  record Command(List<Operand> operands) {
    public Command {
      operands = List.copyOf(operands);
    }
  }

  /** Something that has a value. */
  sealed interface Operand {
    /** Whether a command of a pipe may begin with it, after the first. */
    default boolean isExecutable() {
      return true;
    }
  }

  record Dot() implements Operand {
    @Override
    public boolean isExecutable() {
      return false;
    }
  }

  record Nil() implements Operand {
    @Override
    public boolean isExecutable() {
      return false;
    }
  }

  record Constant(Object value) implements Operand {
    @Override
    public boolean isExecutable() {
      return false;
    }
  }

  record Function(String name) implements Operand {}

  record Variable(String name, List<String> fields) implements Operand {}

  record Field(List<String> fields) implements Operand {}

  record Nested(Pipe pipe) implements Operand {}

  /** Fields of a value in parentheses. */
  record Chain(Operand of, List<String> fields) implements Operand {}
}
