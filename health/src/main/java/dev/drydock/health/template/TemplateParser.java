package dev.drydock.health.template;

import dev.drydock.health.template.TemplateNode.Block;
import dev.drydock.health.template.TemplateNode.Command;
import dev.drydock.health.template.TemplateNode.Operand;
import dev.drydock.health.template.TemplateNode.Pipe;
import dev.drydock.health.template.TemplateToken.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Parses a template and the templates that it defines. */
final class TemplateParser {
  private static final Set<String> KEYWORDS =
      Set.of(
          "if", "else", "end", "range", "with", "define", "template", "block", "break", "continue");

  private final String name;
  private final TemplateTokens tokens;
  private final Map<String, Block> defined = new HashMap<>();
  private List<String> variables = new ArrayList<>(List.of("$"));
  private int ranges;

  /** How a block ended. */
  private record Body(Block block, String end, int line) {}

  private TemplateParser(String name, String text) {
    this.name = name;
    tokens = new TemplateTokens(name, text);
  }

  /** All templates by name; the outermost has the name given. */
  static Map<String, Block> parse(String name, String text) {
    TemplateParser parser = new TemplateParser(name, text);
    Body body = parser.body(true);
    if (!body.end().isEmpty()) {
      throw new TemplateInvalid(name, body.line(), "unexpected {{%s}}".formatted(body.end()));
    }
    parser.define(name, body.block(), body.line());
    return parser.defined;
  }

  private void define(String of, Block block, int line) {
    Block before = defined.get(of);
    if (before == null || before.isBlank()) {
      defined.put(of, block);
    } else if (!block.isBlank()) {
      throw new TemplateInvalid(name, line, "template \"%s\" is defined twice".formatted(of));
    }
  }

  /** Until its end, {@code else}, or the end of the template, where the end is empty. */
  private Body body(boolean top) {
    List<TemplateNode> nodes = new ArrayList<>();
    while (true) {
      TemplateToken token = tokens.next();
      if (token.is(Kind.END)) {
        return new Body(new Block(nodes), "", token.line());
      }
      if (token.is(Kind.TEXT)) {
        nodes.add(new TemplateNode.Text(token.text(), token.line()));
        continue;
      }
      tokens.skipSpace();
      TemplateToken first = tokens.peek();
      boolean keyword = first.is(Kind.WORD) && KEYWORDS.contains(first.text());
      if (!keyword) {
        Pipe pipe = pipeline("command", Kind.RIGHT);
        nodes.add(new TemplateNode.Action(pipe, token.line()));
        continue;
      }
      tokens.advance();
      switch (first.text()) {
        case "end" -> {
          tokens.close("end");
          return new Body(new Block(nodes), "end", token.line());
        }
        case "else" -> {
          return new Body(new Block(nodes), "else", token.line());
        }
        case "define" -> definition(first, top);
        default -> nodes.add(control(first));
      }
    }
  }

  private TemplateNode control(TemplateToken first) {
    return switch (first.text()) {
      case "if", "with", "range" -> branch(first);
      case "template" -> call(first);
      case "block" -> block(first);
      default -> jump(first);
    };
  }

  private TemplateNode jump(TemplateToken word) {
    tokens.close(word.text());
    if (ranges == 0) {
      throw new TemplateInvalid(
          name, word.line(), "{{%s}} outside of {{range}}".formatted(word.text()));
    }
    return word.text().equals("break")
        ? new TemplateNode.Break(word.line())
        : new TemplateNode.Continue(word.line());
  }

  private TemplateNode branch(TemplateToken word) {
    boolean range = word.text().equals("range");
    int before = variables.size();
    Pipe pipe = pipeline(word.text(), Kind.RIGHT);
    ranges += range ? 1 : 0;
    Body body = body(false);
    ranges -= range ? 1 : 0;
    Block otherwise = Block.NONE;
    if (body.end().equals("else")) {
      otherwise = otherwise(word);
    } else if (body.end().isEmpty()) {
      throw missingEnd(word);
    }
    variables = new ArrayList<>(variables.subList(0, before));
    return switch (word.text()) {
      case "if" -> new TemplateNode.If(pipe, body.block(), otherwise, word.line());
      case "with" -> new TemplateNode.With(pipe, body.block(), otherwise, word.line());
      default -> new TemplateNode.Range(pipe, body.block(), otherwise, word.line());
    };
  }

  private TemplateInvalid missingEnd(TemplateToken word) {
    return new TemplateInvalid(name, word.line(), "{{%s}} has no {{end}}".formatted(word.text()));
  }

  /** After {@code else}: a block, or the same kind of branch again, which shares the end. */
  private Block otherwise(TemplateToken word) {
    tokens.skipSpace();
    TemplateToken again = tokens.peek();
    if (again.is(Kind.WORD) && again.text().equals(word.text()) && !word.isWord("range")) {
      tokens.advance();
      return new Block(List.of(branch(again)));
    }
    tokens.close("else");
    Body body = body(false);
    if (body.end().isEmpty()) {
      throw missingEnd(word);
    }
    if (body.end().equals("else")) {
      throw new TemplateInvalid(name, body.line(), "a second {{else}}");
    }
    return body.block();
  }

  private String quotedName(String where) {
    tokens.skipSpace();
    TemplateToken token = tokens.next();
    if (!token.is(Kind.STRING) && !token.is(Kind.RAW_STRING)) {
      throw tokens.unexpected(token, where);
    }
    return tokens.text(token);
  }

  private void definition(TemplateToken word, boolean top) {
    if (!top) {
      throw tokens.unexpected(word, "a block");
    }
    String of = quotedName("define clause");
    tokens.close("define clause");
    define(of, separate(word), word.line());
  }

  /** A body with variables of its own. */
  private Block separate(TemplateToken word) {
    List<String> outer = variables;
    int outerRanges = ranges;
    variables = new ArrayList<>(List.of("$"));
    ranges = 0;
    Body body = body(false);
    variables = outer;
    ranges = outerRanges;
    if (!body.end().equals("end")) {
      throw missingEnd(word);
    }
    return body.block();
  }

  private TemplateNode call(TemplateToken word) {
    String of = quotedName("template clause");
    tokens.skipSpace();
    Optional<Pipe> pipe = Optional.empty();
    if (tokens.peek().is(Kind.RIGHT)) {
      tokens.advance();
    } else {
      pipe = Optional.of(pipeline("template clause", Kind.RIGHT));
    }
    return new TemplateNode.Call(of, pipe, word.line());
  }

  private TemplateNode block(TemplateToken word) {
    String of = quotedName("block clause");
    Pipe pipe = pipeline("block clause", Kind.RIGHT);
    define(of, separate(word), word.line());
    return new TemplateNode.Call(of, Optional.of(pipe), word.line());
  }

  private Pipe pipeline(String where, Kind end) {
    tokens.skipSpace();
    int line = tokens.peek().line();
    List<String> declared = new ArrayList<>();
    boolean assigns = declaration(where, declared);
    List<Command> commands = new ArrayList<>();
    while (true) {
      tokens.skipSpace();
      TemplateToken token = tokens.peek();
      if (token.is(end)) {
        tokens.advance();
        checkPipe(commands, where, token);
        return new Pipe(declared, assigns, commands, line);
      }
      if (!isOperand(token)) {
        throw tokens.unexpected(token, where);
      }
      commands.add(command(end));
    }
  }

  private void checkPipe(List<Command> commands, String where, TemplateToken end) {
    if (commands.isEmpty()) {
      throw new TemplateInvalid(name, end.line(), "missing value for " + where);
    }
    for (int i = 1; i < commands.size(); i++) {
      if (!commands.get(i).operands().getFirst().isExecutable()) {
        throw new TemplateInvalid(
            name, end.line(), "non executable command in pipeline stage " + (i + 1));
      }
    }
  }

  /** Collects the variables that get the value; returns whether they exist already. */
  private boolean declaration(String where, List<String> declared) {
    int start = tokens.mark();
    while (tokens.peek().is(Kind.VARIABLE)) {
      TemplateToken variable = tokens.next();
      tokens.skipSpace();
      TemplateToken sign = tokens.peek();
      if (sign.is(Kind.DECLARE) || sign.is(Kind.ASSIGN)) {
        tokens.advance();
        declared.add(variable.text());
        if (sign.is(Kind.DECLARE)) {
          variables.addAll(declared);
        } else {
          declared.forEach(each -> known(each, variable));
        }
        return sign.is(Kind.ASSIGN);
      }
      if (sign.is(Kind.COMMA)) {
        tokens.advance();
        declared.add(variable.text());
        if (!where.equals("range") || declared.size() > 1) {
          throw new TemplateInvalid(name, variable.line(), "too many declarations in " + where);
        }
        tokens.skipSpace();
        continue;
      }
      break;
    }
    if (!declared.isEmpty()) {
      throw tokens.unexpected(tokens.peek(), where);
    }
    tokens.reset(start);
    return false;
  }

  private String known(String variable, TemplateToken token) {
    if (!variables.contains(variable)) {
      throw new TemplateInvalid(name, token.line(), "undefined variable " + variable);
    }
    return variable;
  }

  private static boolean isOperand(TemplateToken token) {
    return switch (token.kind()) {
      case WORD, FIELD, VARIABLE, DOT, NUMBER, CHAR, STRING, RAW_STRING, OPEN -> true;
      default -> false;
    };
  }

  private Command command(Kind end) {
    List<Operand> operands = new ArrayList<>();
    while (true) {
      tokens.skipSpace();
      TemplateToken start = tokens.peek();
      if (isOperand(start)) {
        operands.add(operand());
      }
      TemplateToken token = tokens.peek();
      if (token.is(Kind.SPACE)) {
        tokens.advance();
        continue;
      }
      if (token.is(Kind.PIPE)) {
        tokens.advance();
        if (!pipesInto()) {
          throw new TemplateInvalid(name, token.line(), "missing value for command");
        }
      } else if (!token.is(end)) {
        throw tokens.unexpected(token, "operand");
      }
      if (operands.isEmpty()) {
        throw new TemplateInvalid(name, token.line(), "empty command");
      }
      return new Command(operands);
    }
  }

  private boolean pipesInto() {
    tokens.skipSpace();
    return isOperand(tokens.peek());
  }

  private Operand operand() {
    TemplateToken first = tokens.peek();
    Operand term = term();
    List<String> fields = new ArrayList<>();
    while (tokens.peek().is(Kind.FIELD)) {
      fields.add(tokens.next().text().substring(1));
    }
    if (fields.isEmpty()) {
      return term;
    }
    return switch (term) {
      case TemplateNode.Field field -> new TemplateNode.Field(joined(field.fields(), fields));
      case TemplateNode.Variable variable -> new TemplateNode.Variable(variable.name(), fields);
      case TemplateNode.Nested nested -> new TemplateNode.Chain(nested, fields);
      case TemplateNode.Function function -> new TemplateNode.Chain(function, fields);
      default -> throw tokens.unexpected(first, "operand: it has no fields");
    };
  }

  private static List<String> joined(List<String> first, List<String> more) {
    List<String> all = new ArrayList<>(first);
    all.addAll(more);
    return all;
  }

  private Operand term() {
    TemplateToken token = tokens.next();
    return switch (token.kind()) {
      case DOT -> new TemplateNode.Dot();
      case FIELD -> new TemplateNode.Field(List.of(token.text().substring(1)));
      case VARIABLE -> new TemplateNode.Variable(known(token.text(), token), List.of());
      case NUMBER -> new TemplateNode.Constant(tokens.number(token));
      case CHAR -> new TemplateNode.Constant(tokens.character(token));
      case STRING, RAW_STRING ->
          new TemplateNode.Constant(TemplateText.literal(tokens.text(token)));
      case OPEN -> new TemplateNode.Nested(pipeline("parenthesized pipeline", Kind.CLOSE));
      default -> word(token);
    };
  }

  private Operand word(TemplateToken token) {
    return switch (token.text()) {
      case "true" -> new TemplateNode.Constant(true);
      case "false" -> new TemplateNode.Constant(false);
      case "nil" -> new TemplateNode.Nil();
      default -> {
        if (KEYWORDS.contains(token.text())) {
          throw tokens.unexpected(token, "operand");
        }
        if (!TemplateFunctions.NAMES.contains(token.text())) {
          throw new TemplateInvalid(
              name, token.line(), "function \"%s\" is not defined".formatted(token.text()));
        }
        yield new TemplateNode.Function(token.text());
      }
    };
  }
}
