package dev.drydock.contracts.nvsentinel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Condition;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Pattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far the tests are. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ValidationRequestStatus(
    @JsonPropertyDescription("Pending, Running, Succeeded or Failed.") @Nullable String phase,
    @JsonPropertyDescription("The tests by who runs them.") @Nullable List<TestGroup> testGroups,
    @JsonPropertyDescription("What was left out.") @Nullable Skipped skipped,
    @JsonPropertyDescription("When the tests began.") @Pattern(Limits.TIME)
        @Nullable String startTime,
    @JsonPropertyDescription("When the tests ended.") @Pattern(Limits.TIME)
        @Nullable String completionTime,
    @Nullable List<Condition> conditions) {

  /** Tests that run together. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record TestGroup(
      @Nullable String name,
      @Nullable String provider,
      @Nullable String phase,
      @Nullable List<TestAttempt> attempts) {}

  /** One run of a group. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record TestAttempt(
      @Nullable String objectName,
      @Nullable String phase,
      @JsonPropertyDescription(
              "TestFailed, TestTimeout, NodeReadinessViolation or BatchMinimumNotMet.")
          @Nullable String failureReason,
      @Nullable List<String> failedNodes,
      @Pattern(Limits.TIME) @Nullable String startTime,
      @Pattern(Limits.TIME) @Nullable String endTime) {}

  /** What was left out. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Skipped(@Nullable List<String> nodes, @Nullable List<String> tests) {}
}
