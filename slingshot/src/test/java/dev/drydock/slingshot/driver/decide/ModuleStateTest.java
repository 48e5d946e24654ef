package dev.drydock.slingshot.driver.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.driver.decide.ModuleState.InPlace;
import dev.drydock.slingshot.driver.decide.ModuleState.Loaded;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModuleStateTest {
  private static final Instant BOOT = Instant.parse("2026-01-01T00:00:00Z");

  private static ModuleState of(
      String loadedFile, String loadedSources, Instant booted, String sources, Instant written) {
    return ModuleState.of(
        new Loaded(text(loadedFile), text(loadedSources), booted),
        new InPlace("sha", text(sources), written));
  }

  private static Optional<String> text(String text) {
    return Optional.of(text).filter(each -> !each.isEmpty());
  }

  @Test
  void whatTheAgentLoadedItselfIsKnownByItsContent() {
    assertThat(of("sha", "A", BOOT, "B", BOOT.plusSeconds(9))).isEqualTo(ModuleState.CURRENT);
    assertThat(of("other", "A", BOOT, "A", BOOT.minusSeconds(9))).isEqualTo(ModuleState.OUTDATED);
  }

  @Test
  void otherwiseTheChecksumOfItsSourcesTells() {
    assertThat(of("", "AB", BOOT, "ab", BOOT.plusSeconds(9))).isEqualTo(ModuleState.CURRENT);
    assertThat(of("", "A", BOOT, "B", BOOT.minusSeconds(9))).isEqualTo(ModuleState.OUTDATED);
  }

  @Test
  void withoutEitherAFileThatIsOlderThanTheBootWasLoadedByIt() {
    assertThat(of("", "", BOOT, "B", BOOT.minusSeconds(1))).isEqualTo(ModuleState.CURRENT);
    assertThat(of("", "A", BOOT, "", BOOT.plusSeconds(1))).isEqualTo(ModuleState.OUTDATED);
    assertThat(of("", "", Instant.EPOCH, "", BOOT)).isEqualTo(ModuleState.UNKNOWN);
  }
}
