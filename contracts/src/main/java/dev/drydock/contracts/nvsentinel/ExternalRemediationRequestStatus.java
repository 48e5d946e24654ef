package dev.drydock.contracts.nvsentinel;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.drydock.contracts.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Conditions {@code NVSentinelOwnershipReleased} and {@code ExternalRemediationComplete}. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExternalRemediationRequestStatus(@Nullable List<Condition> conditions) {}
