package dev.drydock.testbed.realkubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFilesTest {
  @TempDir private Path folder;

  @Test
  void fillsInValues() throws IOException {
    NodeFiles files = new NodeFiles(folder, Map.of("bridge", "drydock7", "folder", "/some/$1"));

    Path written = files.write("cleanup.sh", "below/cleanup.sh");

    assertThat(written)
        .isEqualTo(folder.resolve("below/cleanup.sh"))
        .content()
        .contains("bridge='drydock7'", "folder='/some/$1'");
  }

  @Test
  void refusesToLeaveAGap() {
    NodeFiles files = new NodeFiles(folder, Map.of("bridge", "drydock7"));

    assertThatIllegalStateException()
        .isThrownBy(() -> files.text("cleanup.sh"))
        .withMessageContaining("@folder@");
  }
}
