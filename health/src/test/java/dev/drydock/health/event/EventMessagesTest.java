package dev.drydock.health.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import dev.drydock.health.wire.HealthEventProto;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventMessagesTest {
  /** Kubernetes writes years with four digits: others would be refused wherever they are shown. */
  @ParameterizedTest
  @CsvSource({
    "-62135596800, 0, 0001-01-01T00:00:00Z",
    "253402300799, 999999999, 9999-12-31T23:59:59.999999999Z",
    "-62135596801, 0,",
    "253402300800, 0,",
    "31556889864403199, 0,",
    "-31557014167219200, 0,",
    "9223372036854775807, 2147483647,",
    "-1, -5, 1969-12-31T23:59:58.999999995Z"
  })
  void aTimeThatTheProtocolDoesNotHaveIsLeftOut(long seconds, int nanos, String expected) {
    var message =
        HealthEventProto.HealthEvent.newBuilder()
            .setMessage("kept")
            .setGeneratedTimestamp(Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos))
            .build();

    var event = EventMessages.event(message);

    assertThat(event.message()).isEqualTo("kept");
    assertThat(String.valueOf(event.generatedTimestamp())).isEqualTo(String.valueOf(expected));
  }
}
