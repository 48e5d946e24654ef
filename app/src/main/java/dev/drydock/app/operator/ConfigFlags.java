package dev.drydock.app.operator;

import dev.drydock.cli.OptionalValue;
import java.util.EnumMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A flag for every setting. */
final class ConfigFlags {
  private ConfigFlags() {}

  static void addTo(CommandSpec command) {
    for (ConfigKey key : ConfigKey.values()) {
      OptionSpec.Builder flag =
          OptionSpec.builder(key.flags().toArray(String[]::new))
              .type(String.class)
              .paramLabel(key.kind().label())
              .description(description(key));
      if (key.kind() == ConfigKey.Kind.SWITCH) {
        flag.arity("0..1").fallbackValue("true").preprocessor(new OptionalValue());
      }
      command.addOption(flag.build());
    }
  }

  private static String description(ConfigKey key) {
    return key.otherwise().isEmpty()
        ? key.meaning()
        : key.meaning() + " Default: " + key.otherwise() + ".";
  }

  /** What the user gave; read after the command line was. */
  static Map<ConfigKey, String> given(CommandSpec command) {
    Map<ConfigKey, String> flags = new EnumMap<>(ConfigKey.class);
    for (ConfigKey key : ConfigKey.values()) {
      String value = command.findOption(key.flag()).getValue();
      if (value != null) {
        flags.put(key, value);
      }
    }
    return flags;
  }
}
