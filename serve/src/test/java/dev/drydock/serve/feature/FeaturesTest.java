package dev.drydock.serve.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.Source;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeaturesTest {
  private record Named(String part, StatusPart shows) implements Feature {
    @Override
    public String summary() {
      return "does nothing";
    }

    @Override
    public List<StatusPart> status() {
      return List.of(shows);
    }
  }

  private record Needing(String part, List<String> needs) implements Feature {
    @Override
    public String summary() {
      return "does nothing";
    }
  }

  @Test
  void aPartBringsAlongWhatItStandsOn() {
    Features features =
        new Features(
            List.of(
                new Needing("roll-out", List.of("campaign", "drain")),
                new Needing("campaign", List.of()),
                new Needing("drain", List.of()),
                new Needing("other", List.of())));

    assertThat(features.only(List.of("roll-out")).parts())
        .containsExactly("campaign", "drain", "roll-out");
    assertThat(features.only(List.of("drain")).parts()).containsExactly("drain");
  }

  private record Grouped(String part, List<String> groups) implements Feature {
    @Override
    public String summary() {
      return "does nothing";
    }
  }

  @Test
  void aGroupStandsForItsParts() {
    Features features =
        new Features(
            List.of(
                new Grouped("quarantine", List.of("health")),
                new Grouped("ingest", List.of("health")),
                new Grouped("other", List.of())));

    assertThat(features.only(List.of("health")).parts()).containsExactly("ingest", "quarantine");
    assertThat(features.only(List.of("health", "ingest")).parts())
        .containsExactly("ingest", "quarantine");
    assertThat(features.only(List.of("ingest")).parts()).containsExactly("ingest");
    assertThat(features.summaries()).contains("  health: ingest and quarantine");
    assertThatThrownBy(() -> features.only(List.of("heath")))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("health");
  }

  private static StatusPart shows(String kind, int rank) {
    return new StatusPart(kind, rank, Source.of("/apis/example.com/v1/" + kind), object -> null);
  }

  @Test
  void tasksComeBeforeDrainsWhateverTheirFeaturesAreCalled() {
    Features features =
        new Features(
            List.of(
                new Named("m", shows("Drain", StatusEntry.DRAIN)),
                new Named("z", shows("Late", StatusEntry.TASK)),
                new Named("a", shows("Early", StatusEntry.TASK))));

    assertThat(features.status())
        .extracting(StatusPart::kind)
        .containsExactly("Early", "Late", "Drain");
  }
}
