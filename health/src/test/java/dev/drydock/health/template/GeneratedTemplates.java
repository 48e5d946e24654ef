package dev.drydock.health.template;

import java.util.List;
import java.util.Random;

/**
 * Templates by chance, most of them valid: every action, function and kind of value, in each other,
 * and here and there a mistake.
 */
final class GeneratedTemplates {
  private static final List<String> LITERALS =
      List.of("\"a b\"", "`raw \"x\"`", "\"\"", "\"79\"", "\"\\t\\u00e9\\\"\"", "\"node\"");
  private static final List<String> TEXTS =
      List.of("x", " ", "\n", "key: ", "\n  - ", " }} ", "{ {", "-", "\t\n ", "é");
  private static final List<String> MISTAKES =
      List.of(
          ".HealthEvent.Nope",
          "$nope",
          "nosuch .",
          "(.EventID",
          "1 2",
          "nil",
          "len 3",
          "index .EventID 99",
          "eq 1 \"1\"",
          "lt .HealthEvent.IsFatal true",
          ".EventID.Length",
          "printf 3",
          "not",
          "slice .EventID 3 1",
          "\"open",
          ".EventID | 3",
          "index .HealthEvent.ErrorCode \"a\"",
          ".HealthEvent.DrainOverrides.Force",
          "eq .HealthEvent.ErrorCode .HealthEvent.ErrorCode",
          "09",
          "'ab'",
          "and",
          ".EventID 3",
          "call .EventID",
          "le 1 1.0");

  private final Random random;
  private int variables;

  /** Where an expression stands. */
  private record Scope(int depth, boolean inRange, boolean atTop, int known) {
    Scope deeper() {
      return new Scope(depth + 1, inRange, false, known);
    }

    Scope ranging() {
      return new Scope(depth + 1, true, false, known);
    }

    Scope knowing(int more) {
      return new Scope(depth, inRange, atTop, more);
    }
  }

  GeneratedTemplates(long seed) {
    random = new Random(seed);
  }

  String next() {
    variables = 0;
    StringBuilder text = new StringBuilder();
    if (chance(10)) {
      text.append(
          "{{define \"d\"}}[{{.}}%s]{{end}}".formatted(chance(2) ? "{{ $ }}" : "{{/* none */}}"));
    }
    return text.append(block(new Scope(0, false, true, 0))).toString();
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String block(Scope scope) {
    StringBuilder text = new StringBuilder();
    Scope now = scope;
    int pieces = 1 + random.nextInt(3);
    for (int i = 0; i < pieces; i++) {
      text.append(any(TEXTS));
      if (chance(8)) {
        int variable = ++variables;
        text.append(action("$v%d := %s".formatted(variable, value(now))));
        now = now.knowing(variable);
        text.append(action("$v" + variable));
      }
      text.append(piece(now));
    }
    return text.append(any(TEXTS)).toString();
  }

  private String action(String inner) {
    String left = chance(5) ? "{{- " : chance(2) ? "{{ " : "{{";
    String right = chance(5) ? " -}}" : chance(2) ? " }}" : "}}";
    return left + inner + right;
  }

  private String piece(Scope scope) {
    if (scope.depth() > 3) {
      return action(value(scope));
    }
    Scope inner = scope.deeper();
    return switch (random.nextInt(13)) {
      case 0 -> action("/* a comment */").replace("{{ /*", "{{/*").replace("*/ }}", "*/}}");
      case 1 ->
          action("if " + condition(scope))
              + block(inner)
              + (chance(2) ? action("else if " + condition(scope)) + block(inner) : "")
              + (chance(2) ? action("else") + block(inner) : "")
              + action("end");
      case 2 ->
          action("with " + value(scope))
              + block(inner)
              + (chance(4) ? action("else with " + value(scope)) + block(inner) : "")
              + (chance(2) ? action("else") + block(inner) : "")
              + action("end");
      case 3 -> action("range " + list(scope)) + rangeBody(scope) + action("end");
      case 4 ->
          action("range $i, $e := " + list(scope))
              + action("$i")
              + action("$e")
              + rangeBody(scope)
              + action("end");
      case 5 ->
          action("range $k, $v := " + map())
              + action("$k")
              + (chance(2) ? action("range $v") + "{{.}}," + action("end") : action("$v"))
              + action("else")
              + "none"
              + action("end");
      case 6 ->
          scope.inRange()
              ? action("if " + condition(scope))
                  + action(chance(2) ? "break" : "continue")
                  + action("end")
              : action(value(scope));
      case 7 ->
          chance(3)
              ? action("block \"b%d\" %s".formatted(random.nextInt(1000), value(scope)))
                  + "<{{.}}>"
                  + action("end")
              : chance(3) ? action("template \"d\" " + value(scope)) : action(value(scope));
      case 8 ->
          scope.known() > 0
              ? action("$v%d = %s".formatted(scope.known(), value(scope)))
                  + action("$v" + scope.known())
              : action(value(scope));
      case 9 -> chance(4) ? action(any(MISTAKES)) : action(text(scope));
      default -> action(value(scope));
    };
  }

  private String rangeBody(Scope scope) {
    return block(scope.ranging()) + (chance(3) ? action("else") + block(scope.deeper()) : "");
  }

  private String value(Scope scope) {
    return switch (random.nextInt(6)) {
      case 0 -> condition(scope);
      case 1 -> number(scope);
      case 2 -> list(scope);
      case 3 -> map();
      default -> text(scope);
    };
  }

  private String nested(Scope scope, String inner) {
    return scope.depth() > 4 ? "1" : "(" + inner + ")";
  }

  private String text(Scope scope) {
    Scope inner = scope.deeper();
    if (scope.depth() > 5) {
      return "$.EventID";
    }
    return switch (random.nextInt(18)) {
      case 0 -> "$.EventID";
      case 1 -> "$.HealthEvent.Message";
      case 2 -> "$.HealthEvent.NodeName";
      case 3 -> "$.HealthEvent.GetNodeName";
      case 4 -> "$.HealthEvent.RecommendedAction.String";
      case 5 -> "$.HealthEvent.RecommendedAction";
      case 6 -> "$.HealthEvent.Metadata." + any(List.of("a", "missing", "z"));
      case 7 -> "index $.HealthEvent.Metadata \"%s\"".formatted(any(List.of("a", "missing")));
      case 8 -> any(LITERALS);
      case 9 -> "printf " + format(inner);
      case 10 -> "print " + nested(inner, value(inner)) + " " + nested(inner, value(inner));
      case 11 ->
          text(inner) + " | printf \"%" + any(List.of("s", "q", "v", "10s", "-8v|", ".2s")) + "\"";
      case 12 -> text(inner) + " | " + any(List.of("html", "js", "urlquery", "print", "println"));
      case 13 -> "slice $.EventID %d %d".formatted(random.nextInt(3), 2 + random.nextInt(3));
      case 14 ->
          "(index $.HealthEvent.EntitiesImpacted 0)."
              + any(List.of("EntityType", "EntityValue", "GetEntityValue"));
      case 15 -> "or " + nested(inner, text(inner)) + " " + nested(inner, text(inner));
      case 16 -> "and " + nested(inner, condition(inner)) + " " + nested(inner, text(inner));
      default -> "index $.HealthEvent.ErrorCode " + random.nextInt(2);
    };
  }

  private String format(Scope scope) {
    return switch (random.nextInt(8)) {
      case 0 -> "\"%s-%d\" " + nested(scope, text(scope)) + " " + nested(scope, number(scope));
      case 1 ->
          "\"%"
              + any(
                  List.of(
                      "d", "5d", "05d", "-5d|", "+d", "x", "X", "#x", "o", "b", "c", "q", "U", "v",
                      "s", "t", "3.2d", "e"))
              + "\" "
              + nested(scope, integer(scope));
      case 2 ->
          "\"%"
              + any(
                  List.of(
                      "s", "q", "x", "X", "v", "+q", "#q", "12s", "-12s|", ".3s", "d", "t", "% x",
                      "5.1q"))
              + "\" "
              + nested(scope, text(scope));
      case 3 ->
          "\"%t %v\" " + nested(scope, condition(scope)) + " " + nested(scope, condition(scope));
      case 4 ->
          "\"%v|%s|%q\" $.HealthEvent.ErrorCode $.HealthEvent.ErrorCode $.HealthEvent.ErrorCode";
      case 5 -> "\"%d%%\" " + nested(scope, number(scope)) + (chance(3) ? " 7 \"more\"" : "");
      case 6 -> "\"%s %s\" " + nested(scope, text(scope));
      default ->
          "\""
              + any(List.of("%v", "%6.2f", "%g", "%e", "%.3g"))
              + "\" "
              + any(List.of("1.5", "2.0", "1e6", "123456789.5", "-0.00001", "1e21", "0.1"));
    };
  }

  private String integer(Scope scope) {
    return chance(3)
        ? any(List.of("0x1F", "0b101", "0o17", "1_000", "'a'", "+3", "-7", "0"))
        : "len " + nested(scope, list(scope));
  }

  private String number(Scope scope) {
    Scope inner = scope.deeper();
    return switch (random.nextInt(9)) {
      case 0 -> String.valueOf(random.nextInt(20) - 5);
      case 1 -> any(List.of("0x1F", "0b101", "0o17", "1_000", "'a'", "'\\n'", "+3"));
      case 2 -> "len " + nested(inner, list(inner));
      case 3 -> "len " + nested(inner, text(inner));
      case 4 -> "len " + nested(inner, map());
      case 5 -> "$.HealthEvent.Version";
      case 6 -> "index $.EventID " + random.nextInt(3);
      case 7 -> any(List.of("1.5", "1e3", "100000.0", "1e21", "1234567.0", "0.00001"));
      default -> "len $.HealthEvent.EntitiesImpacted";
    };
  }

  private String condition(Scope scope) {
    Scope inner = scope.deeper();
    if (scope.depth() > 5) {
      return "$.HealthEvent.IsFatal";
    }
    String one = nested(inner, text(inner));
    String two = nested(inner, text(inner));
    String three = nested(inner, number(inner));
    String four = nested(inner, number(inner));
    return switch (random.nextInt(14)) {
      case 0 -> any(List.of("true", "false"));
      case 1 -> "$.HealthEvent.IsFatal";
      case 2 -> "$.HealthEvent.IsHealthy";
      case 3 -> any(List.of("eq ", "ne ", "lt ", "le ", "gt ", "ge ")) + one + " " + two;
      case 4 -> any(List.of("eq ", "ne ", "lt ", "le ", "gt ", "ge ")) + three + " " + four;
      case 5 -> "eq " + one + " " + two + " $.EventID";
      case 6 -> "not " + nested(inner, value(inner));
      case 7 -> "and " + nested(inner, condition(inner)) + " " + nested(inner, condition(inner));
      case 8 -> "or " + nested(inner, condition(inner)) + " " + nested(inner, value(inner));
      case 9 -> "not $.HealthEvent.DrainOverrides";
      case 10 ->
          "eq $.HealthEvent.RecommendedAction " + any(List.of("15", "2", "$.HealthEvent.Version"));
      case 11 -> "$.HealthEvent.Metadata.missing";
      case 12 -> "eq $.HealthEvent.DrainOverrides nil";
      default -> one + " | eq \"79\"";
    };
  }

  private String list(Scope scope) {
    return switch (random.nextInt(6)) {
      case 0 -> "index $.PodsToDrain \"%s\"".formatted(any(List.of("ns1", "none")));
      case 1 -> "slice $.HealthEvent.ErrorCode 0 1";
      case 2 -> "$.PodsToDrain.ns1";
      case 3 ->
          scope.depth() < 4 && chance(4) ? String.valueOf(random.nextInt(4)) : "$.PodsToDrain.ns2";
      default -> "$.HealthEvent.ErrorCode";
    };
  }

  private String map() {
    return chance(2) ? "$.HealthEvent.Metadata" : "$.PodsToDrain";
  }
}
