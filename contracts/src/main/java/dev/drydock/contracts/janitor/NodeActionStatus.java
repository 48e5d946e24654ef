package dev.drydock.contracts.janitor;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Condition;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Pattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far an action on a whole node is. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeActionStatus(
    @JsonPropertyDescription("When the action began.") @Pattern(Limits.TIME)
        @Nullable String startTime,
    @JsonPropertyDescription("When the action ended.") @Pattern(Limits.TIME)
        @Nullable String completionTime,
    @Nullable List<Condition> conditions) {}
