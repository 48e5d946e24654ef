package dev.drydock.contracts.nvsentinel;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.drydock.contracts.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of the request. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MaintenanceRequestStatus(@Nullable List<Condition> conditions) {}
