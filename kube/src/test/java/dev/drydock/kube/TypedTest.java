package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TypedTest {
  record Berth(String name, int length) {}

  @Test
  void whatANewerDefinitionAddedIsLeftAside() throws IOException {
    assertThat(Typed.read(Json.read("{\"name\":\"a\",\"length\":3,\"depth\":9}"), Berth.class))
        .isEqualTo(new Berth("a", 3));
    assertThat(Typed.tree(new Berth("a", 3)).toString()).isEqualTo("{\"name\":\"a\",\"length\":3}");
  }

  @Test
  void whatNoServerLetsPassIsABug() throws IOException {
    var malformed = Json.read("{\"length\":\"long\"}");

    assertThatThrownBy(() -> Typed.read(malformed, Berth.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the API server accepted a malformed Berth: ");
  }

  record Cargo(@Nullable Integer tons) {}

  @Test
  void aNumberThatDoesNotFitIsCapped() throws IOException {
    assertThat(Typed.read(Json.read("{\"tons\":3000000000}"), Cargo.class))
        .isEqualTo(new Cargo(Integer.MAX_VALUE));
    assertThat(Typed.read(Json.read("{\"tons\":-9223372036854775808}"), Cargo.class))
        .isEqualTo(new Cargo(Integer.MIN_VALUE));
    assertThat(Typed.read(Json.read("{\"tons\":1e30}"), Cargo.class))
        .isEqualTo(new Cargo(Integer.MAX_VALUE));
    assertThat(Typed.read(Json.read("{\"tons\":null}"), Cargo.class)).isEqualTo(new Cargo(null));
  }

  @Test
  void anObjectWithoutThePartSaysSo() throws IOException {
    JsonNode bare = Json.read("{}");

    assertThatThrownBy(() -> Typed.read(bare.path("spec"), Cargo.class))
        .hasMessage("it has no Cargo");
    assertThatThrownBy(() -> Typed.required("spec.nodeName", null))
        .hasMessage("spec.nodeName is missing");
  }
}
