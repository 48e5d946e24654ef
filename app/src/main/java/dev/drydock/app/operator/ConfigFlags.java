package dev.drydock.app.operator;

import dev.drydock.cli.OptionalValue;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A flag for every setting. */
final class ConfigFlags {
  private ConfigFlags() {}

  static void addTo(CommandSpec command, List<Setting<?>> settings) {
    for (Setting<?> setting : settings) {
      OptionSpec.Builder flag =
          OptionSpec.builder(setting.flag(), setting.otherFlags().toArray(String[]::new))
              .type(String.class)
              .paramLabel(setting.kind().label())
              .description(description(setting));
      if (setting.kind().equals(SettingKind.SWITCH)) {
        flag.arity("0..1").fallbackValue("true").preprocessor(new OptionalValue());
      }
      command.addOption(flag.build());
    }
  }

  private static String description(Setting<?> setting) {
    return setting.defaultText().isEmpty()
        ? setting.description()
        : setting.description() + " Default: " + setting.defaultText() + ".";
  }

  /** What the user gave; read after the command line was. */
  static Map<Setting<?>, String> given(CommandSpec command, List<Setting<?>> settings) {
    Map<Setting<?>, String> flags = new HashMap<>();
    for (Setting<?> setting : settings) {
      String value = command.findOption(setting.flag()).getValue();
      if (value != null) {
        flags.put(setting, value);
      }
    }
    return flags;
  }
}
