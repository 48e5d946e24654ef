package dev.drydock.slingshot.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.decide.OriginalImages.Choice;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OriginalImagesTest {
  private static final String THEIRS = "ghcr.io/sielicki/slingshot-operator/retry-handler:latest";
  private static final OriginalImages REPLACED = new OriginalImages("ours", false);
  private static final OriginalImages KEPT = new OriginalImages("ours", true);

  @Test
  void anImageOfTheOriginalIsReplacedOrKeptAndOthersAreTaken() {
    assertThat(REPLACED.choose(Optional.empty())).isEqualTo(new Choice("ours", false));
    assertThat(REPLACED.choose(Optional.of("other"))).isEqualTo(new Choice("other", false));
    assertThat(REPLACED.choose(Optional.of(THEIRS))).isEqualTo(new Choice("ours", false));
    assertThat(KEPT.choose(Optional.of(THEIRS))).isEqualTo(new Choice(THEIRS, true));
  }

  /** As the operator's flag --retry-handler-image may name one. */
  @Test
  void oneThatTheOperatorsSettingsNameIsReplacedOrKept() {
    Optional<String> theirs = Optional.of(THEIRS);
    assertThat(REPLACED.byDefault(theirs).choose(Optional.empty()))
        .isEqualTo(new Choice("ours", false));
    assertThat(KEPT.byDefault(theirs).choose(Optional.empty()))
        .as("with the arguments that it knows")
        .isEqualTo(new Choice(THEIRS, true));
    assertThat(REPLACED.byDefault(Optional.of("other")).choose(theirs))
        .isEqualTo(new Choice("other", false));
    assertThat(REPLACED.byDefault(Optional.empty())).isEqualTo(REPLACED);
  }
}
