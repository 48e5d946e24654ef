package dev.drydock.sim.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.drydock.sim.api.StatusException;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Coordination;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProtobufTest {
  @Test
  void bytesAndTimesAreWhatJsonShows() throws IOException {
    V1.Secret secret =
        V1.Secret.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setName("s")
                    .setCreationTimestamp(Meta.Time.newBuilder().setSeconds(1).setNanos(0)))
            .putData("a", ByteString.copyFromUtf8("b"))
            .build();

    assertThat(Protobuf.read(body("v1", "Secret", secret)))
        .hasToString(
            "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\","
                + "\"creationTimestamp\":\"1970-01-01T00:00:01Z\"},\"data\":{\"a\":\"Yg==\"}}");
  }

  @Test
  void whatNobodySetIsNotThere() throws IOException {
    V1Coordination.Lease lease =
        V1Coordination.Lease.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setName("l")
                    .setNamespace("")
                    .setGeneration(0)
                    .setCreationTimestamp(Meta.Time.getDefaultInstance()))
            .build();

    assertThat(Protobuf.read(body("coordination.k8s.io/v1", "Lease", lease)).path("metadata"))
        .hasToString("{\"name\":\"l\"}");
  }

  @Test
  void aFieldOfANewerVersionIsRefused() throws IOException {
    UnknownFieldSet newer =
        UnknownFieldSet.newBuilder()
            .addField(999, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    byte[] body =
        body("v1", "ConfigMap", V1.ConfigMap.newBuilder().setUnknownFields(newer).build());

    assertThatThrownBy(() -> Protobuf.read(body))
        .isInstanceOfSatisfying(
            StatusException.class, failure -> assertThat(failure.code()).isEqualTo(415))
        .hasMessageContaining("999");
  }

  @Test
  void anUnknownKindIsRefused() throws IOException {
    byte[] body = body("example.com/v1", "Thing", V1.ConfigMap.getDefaultInstance());

    assertThatThrownBy(() -> Protobuf.read(body)).hasMessageContaining("Thing");
    assertThatThrownBy(() -> Protobuf.read(new byte[] {1, 2, 3}))
        .isInstanceOf(StatusException.class);
  }

  private static byte[] body(String apiVersion, String kind, Message object) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(new byte[] {'k', '8', 's', 0});
    Runtime.Unknown.newBuilder()
        .setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
        .setRaw(object.toByteString())
        .build()
        .writeTo(body);
    return body.toByteArray();
  }
}
