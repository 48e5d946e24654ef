package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class TypedTest {
  record Berth(String name, int length) {}

  @Test
  void whatANewerDefinitionAddedIsLeftAside() throws IOException {
    assertThat(Typed.read(Json.read("{\"name\":\"a\",\"length\":3,\"depth\":9}"), Berth.class))
        .isEqualTo(new Berth("a", 3));
    assertThat(Typed.write(new Berth("a", 3))).isEqualTo("{\"name\":\"a\",\"length\":3}");
  }

  @Test
  void whatNoServerLetsPassIsABug() throws IOException {
    var malformed = Json.read("{\"length\":\"long\"}");

    assertThatThrownBy(() -> Typed.read(malformed, Berth.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the API server accepted a malformed Berth");
  }
}
