package dev.drydock.contracts.nvsentinel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes and the tests. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ValidationRequestSpec(
    @Required @JsonPropertyDescription("The nodes that are tested.") List<TestedNode> nodes,
    @JsonPropertyDescription("Names of tests; absent: those that the controller has by default.")
        @Nullable List<String> tests) {

  /** A node. */
  public record TestedNode(
      @Required @JsonPropertyDescription("The name of the Node.") String name) {}
}
