package dev.drydock.contracts.janitor;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** The node of an action on a whole node. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeActionSpec(
    @Required
        @JsonPropertyDescription("The name of the Node.")
        @Size(min = 1, max = 253)
        @Pattern(Limits.SUBDOMAIN)
        String nodeName,
    @JsonPropertyDescription("Whether the node is not asked first.") @Nullable Boolean force) {}
