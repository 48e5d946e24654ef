package dev.drydock.edge.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What busctl prints when logind begins a shutdown. */
class LogindDelayTest {
  @Test
  void onlyAShutdownThatBeginsCounts() {
    String signal =
        "{\"type\":\"signal\",\"endian\":\"l\",\"interface\":\"org.freedesktop.login1.Manager\","
            + "\"member\":\"%s\",\"payload\":{\"type\":\"b\",\"data\":[%s]}}";
    assertThat(LogindDelay.isShutdown(signal.formatted("PrepareForShutdown", "true"))).isTrue();
    assertThat(LogindDelay.isShutdown(signal.formatted("PrepareForShutdown", "false"))).isFalse();
    assertThat(LogindDelay.isShutdown(signal.formatted("PrepareForSleep", "true"))).isFalse();
    assertThat(LogindDelay.isShutdown("Monitoring bus message stream.")).isFalse();
  }
}
