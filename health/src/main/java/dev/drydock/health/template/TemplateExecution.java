package dev.drydock.health.template;

import dev.drydock.health.template.TemplateNode.Block;
import dev.drydock.health.template.TemplateNode.Command;
import dev.drydock.health.template.TemplateNode.Operand;
import dev.drydock.health.template.TemplateNode.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** One execution of a template, in the order of Go's own. */
final class TemplateExecution {
  /** No resource is nearly as large; and no template of ours calls itself. */
  private static final int LARGEST = 1 << 20;

  private static final int DEEPEST = 200;
  private static final int MOST_ITERATIONS = 100_000;

  private final String name;
  private final Map<String, Block> templates;
  private final TemplateText.Builder out = new TemplateText.Builder();
  private List<Variable> variables = new ArrayList<>();
  private int depth;
  private int iterations;

  private static final class Variable {
    private final String name;
    private Object value;

    Variable(String name, Object value) {
      this.name = name;
      this.value = value;
    }
  }

  /** How a block ends. */
  private enum Flow {
    NEXT,
    BREAK,
    CONTINUE
  }

  TemplateExecution(String name, Map<String, Block> templates) {
    this.name = name;
    this.templates = templates;
  }

  TemplateText run(Object data) {
    call(name, TemplateValues.of(data));
    return out.build();
  }

  private void call(String template, Object dot) {
    Block block = templates.get(template);
    if (block == null) {
      throw new TemplateFailed("template \"%s\" is not defined".formatted(template));
    }
    depth++;
    if (depth > DEEPEST) {
      throw new TemplateFailed("templates call each other more than %d times".formatted(DEEPEST));
    }
    List<Variable> outer = variables;
    variables = new ArrayList<>(List.of(new Variable("$", dot)));
    var _ = walk(dot, block);
    variables = outer;
    depth--;
  }

  private Flow walk(Object dot, Block block) {
    for (TemplateNode node : block.nodes()) {
      Flow flow;
      try {
        flow = walk(dot, node);
      } catch (TemplateFailed failed) {
        throw failed.at(name, node.line());
      }
      if (flow != Flow.NEXT) {
        return flow;
      }
      if (out.length() > LARGEST) {
        throw new TemplateFailed("the text is larger than 1 MiB").at(name, node.line());
      }
    }
    return Flow.NEXT;
  }

  private Flow walk(Object dot, TemplateNode node) {
    switch (node) {
      case TemplateNode.Text text -> out.add(text.text());
      case TemplateNode.Action action -> {
        Object value = pipeline(dot, action.pipe());
        if (action.pipe().variables().isEmpty()) {
          out.add(GoFormat.plain(value));
        }
      }
      case TemplateNode.If branch -> {
        int mark = variables.size();
        boolean truth = TemplateValues.isTrue(pipeline(dot, branch.pipe()));
        return scoped(mark, dot, truth ? branch.body() : branch.otherwise());
      }
      case TemplateNode.With branch -> {
        int mark = variables.size();
        Object value = pipeline(dot, branch.pipe());
        return TemplateValues.isTrue(value)
            ? scoped(mark, value, branch.body())
            : scoped(mark, dot, branch.otherwise());
      }
      case TemplateNode.Range range -> {
        return range(dot, range);
      }
      case TemplateNode.Break _ -> {
        return Flow.BREAK;
      }
      case TemplateNode.Continue _ -> {
        return Flow.CONTINUE;
      }
      case TemplateNode.Call call ->
          call(
              call.name(),
              call.pipe().map(pipe -> pipeline(dot, pipe)).orElse(TemplateValues.NONE));
    }
    return Flow.NEXT;
  }

  private Flow scoped(int mark, Object dot, Block block) {
    Flow flow = walk(dot, block);
    forget(mark);
    return flow;
  }

  private void forget(int mark) {
    variables.subList(mark, variables.size()).clear();
  }

  private Flow range(Object dot, TemplateNode.Range range) {
    int before = variables.size();
    Object value = pipeline(dot, range.pipe());
    Rounds rounds = new Rounds(range, variables.size());
    boolean any =
        switch (value) {
          case List<?> list -> {
            boolean more = true;
            for (int i = 0; i < list.size() && more; i++) {
              more = rounds.test((long) i, TemplateValues.of(list.get(i)));
            }
            yield !list.isEmpty();
          }
          case TemplateMap map -> {
            boolean more = true;
            for (Map.Entry<String, ?> entry : map.entries().entrySet()) {
              more =
                  more
                      && rounds.test(
                          TemplateText.data(entry.getKey()), TemplateValues.of(entry.getValue()));
            }
            yield !map.entries().isEmpty();
          }
          case Long number -> count(number, range, rounds);
          case Short octet -> count(octet, range, rounds);
          case TemplateEnum named -> count(named.number(), range, rounds);
          default -> {
            if (!TemplateValues.NONE.equals(value)) {
              throw new TemplateFailed("range cannot iterate over " + TemplateValues.type(value));
            }
            yield false;
          }
        };
    Flow flow = any ? Flow.NEXT : walk(dot, range.otherwise());
    forget(before);
    return flow == Flow.BREAK ? Flow.NEXT : flow; // which ends this range, also from its else
  }

  private static boolean count(long number, TemplateNode.Range range, Rounds rounds) {
    if (range.pipe().variables().size() > 1) {
      throw new TemplateFailed("a number has one variable in range");
    }
    boolean more = true;
    for (long i = 0; i < number && more; i++) {
      more = rounds.test(i, i);
    }
    return number > 0;
  }

  /** The rounds of a range; false ends them. */
  private final class Rounds implements BiPredicate<Object, Object> {
    private final TemplateNode.Range range;
    private final int mark;

    Rounds(TemplateNode.Range range, int mark) {
      this.range = range;
      this.mark = mark;
    }

    @Override
    public boolean test(Object key, Object element) {
      iterations++;
      if (iterations > MOST_ITERATIONS) {
        throw new TemplateFailed("more than %d rounds of range".formatted(MOST_ITERATIONS));
      }
      List<String> names = range.pipe().variables();
      if (names.size() == 1) {
        set(names.getFirst(), element);
      } else if (names.size() == 2) {
        set(names.getFirst(), key);
        set(names.getLast(), element);
      }
      Flow flow = walk(element, range.body());
      forget(mark);
      return flow != Flow.BREAK;
    }
  }

  private void set(String variable, Object value) {
    find(variable).value = value;
  }

  private Variable find(String variable) {
    for (Variable each : variables.reversed()) {
      if (each.name.equals(variable)) {
        return each;
      }
    }
    throw new TemplateFailed("undefined variable " + variable);
  }

  private Object pipeline(Object dot, Pipe pipe) {
    Object value = null;
    for (Command command : pipe.commands()) {
      value = command(dot, command, value);
    }
    Object result = value == null ? TemplateValues.NONE : value;
    for (String variable : pipe.variables()) {
      if (pipe.assigns()) {
        set(variable, result);
      } else {
        variables.add(new Variable(variable, result));
      }
    }
    return result;
  }

  /**
   * @param last the value of the command before it in the pipe, if there is one
   */
  private Object command(Object dot, Command command, @Nullable Object last) {
    Operand first = command.operands().getFirst();
    List<Operand> rest = command.operands().subList(1, command.operands().size());
    boolean hasArguments = !rest.isEmpty() || last != null;
    if (first instanceof TemplateNode.Function function) {
      return function(dot, function.name(), rest, last);
    }
    if (hasArguments) {
      throw new TemplateFailed("arguments for something that is no function");
    }
    if (first instanceof TemplateNode.Nil) {
      throw new TemplateFailed("nil is not a command");
    }
    return operand(dot, first);
  }

  private Object operand(Object dot, Operand operand) {
    return switch (operand) {
      case TemplateNode.Dot _ -> dot;
      case TemplateNode.Nil _ -> TemplateValues.NONE;
      case TemplateNode.Constant constant -> constant.value();
      case TemplateNode.Field field -> fields(dot, field.fields());
      case TemplateNode.Variable variable -> fields(find(variable.name()).value, variable.fields());
      case TemplateNode.Nested nested -> pipeline(dot, nested.pipe());
      case TemplateNode.Chain chain -> {
        if (chain.of() instanceof TemplateNode.Nil) {
          throw new TemplateFailed("a field of nil");
        }
        yield fields(operand(dot, chain.of()), chain.fields());
      }
      case TemplateNode.Function function -> function(dot, function.name(), List.of(), null);
    };
  }

  private Object function(
      Object dot, String function, List<Operand> operands, @Nullable Object last) {
    boolean or = function.equals("or");
    if (or || function.equals("and")) {
      return shortCircuit(dot, or, operands, last);
    }
    List<Object> arguments = new ArrayList<>();
    operands.forEach(operand -> arguments.add(operand(dot, operand)));
    if (last != null) {
      arguments.add(last);
    }
    return TemplateFunctions.call(function, arguments);
  }

  private Object shortCircuit(
      Object dot, boolean or, List<Operand> operands, @Nullable Object last) {
    if (operands.isEmpty() && last == null) {
      throw new TemplateFailed("and and or need an argument");
    }
    Object value = TemplateValues.NONE;
    for (Operand operand : operands) {
      value = operand(dot, operand);
      if (TemplateValues.isTrue(value) == or) {
        return value;
      }
    }
    return last == null ? value : last;
  }

  private static Object fields(Object of, List<String> fields) {
    Object value = of;
    for (String field : fields) {
      value = field(value, field);
    }
    return value;
  }

  private static Object field(Object of, String field) {
    return switch (of) {
      case TemplateStruct struct ->
          struct
              .member(field)
              .map(TemplateValues::of)
              .orElseThrow(
                  () ->
                      new TemplateFailed(
                          "there is no field %s in %s".formatted(field, struct.typeName())));
      case TemplateMap map ->
          Optional.<Object>ofNullable(map.entries().get(field))
              .map(TemplateValues::of)
              .orElse(TemplateValues.NONE);
      case TemplateEnum named when field.equals("String") -> TemplateText.data(named.name());
      default -> {
        if (TemplateValues.NONE.equals(of)) {
          yield of;
        }
        throw new TemplateFailed(
            "there is no field %s in %s".formatted(field, TemplateValues.type(of)));
      }
    };
  }
}
