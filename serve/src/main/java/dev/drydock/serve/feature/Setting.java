package dev.drydock.serve.feature;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A setting of the operator. Its place in the file gives the names of its flag and of its variable:
 * {@code metrics.port} is also {@code --metrics-port} and {@code DRYDOCK_METRICS_PORT}.
 *
 * @param path in the file, with dots between the levels
 * @param defaultText the default, written as in the file
 * @param requiredInFile a file that does not say it is refused
 * @param otherFlags further names of the flag
 * @param otherVariables further names of the variable; its own name comes first
 */
public record Setting<T>(
    String path,
    SettingKind<T> kind,
    String defaultText,
    String description,
    boolean requiredInFile,
    List<String> otherFlags,
    List<String> otherVariables) {

  public static <T> Setting<T> of(
      String path, SettingKind<T> kind, String defaultText, String description) {
    return new Setting<>(path, kind, defaultText, description, false, List.of(), List.of());
  }

  public Setting<T> mustBeInFile() {
    return new Setting<>(path, kind, defaultText, description, true, otherFlags, otherVariables);
  }

  public Setting<T> alsoFlag(String flag) {
    return new Setting<>(
        path, kind, defaultText, description, requiredInFile, List.of(flag), otherVariables);
  }

  public Setting<T> alsoVariable(String variable) {
    return new Setting<>(
        path, kind, defaultText, description, requiredInFile, otherFlags, List.of(variable));
  }

  public String flag() {
    String words = path.replace('.', '-').replaceAll("([A-Z])", "-$1");
    return "--" + words.toLowerCase(Locale.ROOT);
  }

  public String variable() {
    return "DRYDOCK_" + flag().substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** All its variables; the first that is set counts. */
  public List<String> variables() {
    return Stream.concat(Stream.of(variable()), otherVariables.stream()).toList();
  }

  /** There is one setting at a place. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Setting<?> setting && setting.path.equals(path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public String toString() {
    return path;
  }
}
