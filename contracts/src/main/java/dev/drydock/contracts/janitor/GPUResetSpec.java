package dev.drydock.contracts.janitor;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The GPUs that are to be reset. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GPUResetSpec(
    @Required
        @JsonPropertyDescription("The name of the Node.")
        @Size(min = 1, max = 253)
        @Pattern(Limits.SUBDOMAIN)
        String nodeName,
    @JsonPropertyDescription("Which GPUs; absent: all of the node.") @Nullable Selector selector) {

  /** GPUs by either name. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Selector(
      @JsonPropertyDescription("UUIDs of GPUs.") @Nullable List<String> uuids,
      @JsonPropertyDescription("PCI addresses of GPUs.") @Nullable List<String> pciBusIDs) {}
}
