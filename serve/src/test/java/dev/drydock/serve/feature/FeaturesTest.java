package dev.drydock.serve.feature;

import static org.assertj.core.api.Assertions.assertThat;

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
