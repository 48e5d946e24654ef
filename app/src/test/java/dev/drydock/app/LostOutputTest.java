package dev.drydock.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LostOutputTest {
  private static ProcessBuilder drydock(String command) {
    return new ProcessBuilder(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Drydock.class.getName(),
            command));
  }

  private static String err(Process process) throws IOException {
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void outputThatCannotBeWrittenIsAFailure() throws Exception {
    Process process = drydock("crds").redirectOutput(new File("/dev/full")).start();

    assertThat(err(process)).contains("error: cannot write the output: No space left on device");
    assertThat(process.waitFor()).isEqualTo(1);
  }

  @Test
  void whoClosesThePipeDoesNotWantTheRest() throws Exception {
    Process process = drydock("crds").start();
    process.getInputStream().close();

    assertThat(err(process)).doesNotContain("error");
    assertThat(process.waitFor()).isZero();
  }
}
