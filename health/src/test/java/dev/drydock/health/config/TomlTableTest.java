package dev.drydock.health.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TomlTableTest {
  private static final TomlTable TABLE =
      TomlTable.parse(
          """
          text = "t"
          number = 7
          quoted = "-8"
          on = true
          time = "90s"
          list = ["a", "b"]

          [below]
          number = 7.5
          """,
          "x.toml");

  private static Optional<Integer> find(String word) {
    return word.equals("seven") ? Optional.of(7) : Optional.empty();
  }

  @Test
  void valuesAreReadAndMissingOnesHaveDefaults() {
    assertThat(TABLE.required("text")).isEqualTo("t");
    assertThat(TABLE.text("none", "d")).isEqualTo("d");
    assertThat(TABLE.number("number", 0, 0, 7)).isEqualTo(7);
    assertThat(TABLE.number("quoted", 0, -8, 0)).isEqualTo(-8);
    assertThat(TABLE.number("none", 3, 0, 1)).isEqualTo(3);
    assertThat(TABLE.isOn("on")).isTrue();
    assertThat(TABLE.isOn("none")).isFalse();
    assertThat(TABLE.duration("time", Duration.ZERO)).isEqualTo(Duration.ofSeconds(90));
    assertThat(TABLE.duration("none", Duration.ZERO)).isZero();
    assertThat(TABLE.texts("list")).containsExactly("a", "b");
    assertThat(TABLE.texts("none")).isEmpty();
    assertThat(TABLE.<Integer>word("none", "seven", TomlTableTest::find, List.of("seven")))
        .isEqualTo(7);
  }

  @Test
  void whatCannotBeUsedNamesFileAndKey() {
    TomlTable below = TABLE.table("below", "below.");
    refused(() -> below.number("number", 0, 0, 9), "x.toml: below.number is 7.5, not a number");
    refused(() -> below.required("kind"), "x.toml: below.kind is missing");
    refused(() -> TABLE.number("number", 0, 0, 6), "x.toml: number is 7, not a number from 0 to 6");
    refused(() -> TABLE.isOn("text"), "x.toml: text is \"t\", neither true nor false");
    refused(() -> TABLE.duration("text", Duration.ZERO), "x.toml: text is \"t\", not a duration");
    refused(() -> TABLE.texts("text"), "x.toml: text should be a list of texts");
    refused(
        () -> TABLE.<Integer>word("text", "", TomlTableTest::find, List.of("seven")),
        "x.toml: text is \"t\", which is none of seven");
    refused(() -> TomlTable.parse("a = 1\nb =", "y.toml"), "y.toml, line 2: not valid TOML");
  }

  @Test
  void aFileMayBeMissingOnlyWhereThatIsAllowed(@TempDir Path folder) {
    Path none = folder.resolve("none.toml");

    assertThat(TomlTable.readIfExists(none).json()).isEmpty();
    refused(() -> TomlTable.read(none), "no file " + none);
    refused(() -> TomlTable.read(folder), "file %s cannot be read".formatted(folder));
  }

  private static void refused(Runnable read, String message) {
    assertThatThrownBy(read::run)
        .isInstanceOf(ConfigFileInvalid.class)
        .hasMessageStartingWith(message)
        .message()
        .doesNotContain("\n");
  }
}
