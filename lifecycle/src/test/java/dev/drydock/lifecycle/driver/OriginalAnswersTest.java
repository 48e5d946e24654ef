package dev.drydock.lifecycle.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.lifecycle.decide.DriverStep.Reply;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.grpc.Status;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Answers in the codes and words of the first driver. */
class OriginalAnswersTest {
  private final DriverCalls calls = new DriverCalls("n1", Clock.systemUTC(), () -> {});

  @ParameterizedTest(name = "{0} {1}")
  @CsvFileSource(resources = "/original/answers.csv", numLinesToSkip = 1)
  void whatIsNotSupportedIsAPlainError(
      String call, @Nullable String value, String code, String text) {
    String given = value == null ? "" : value;
    CompletableFuture<LifecycleTransitionResponse> answer =
        call.equals("Start")
            ? calls.add(StartLifecycleTransitionRequest.newBuilder().setStart(given).build())
            : calls.add(EndLifecycleTransitionRequest.newBuilder().setEnd(given).build());

    assertThatThrownBy(answer::join)
        .isInstanceOf(CompletionException.class)
        .satisfies(
            failure -> {
              Status status = Status.fromThrowable(failure);
              assertThat(status.getCode()).hasToString(code);
              assertThat(status.getDescription()).isEqualTo(text);
            });
  }

  @Test
  void aCallForAnotherNodeIsRefused() {
    assertThatThrownBy(
            () ->
                calls.add(
                    StartLifecycleTransitionRequest.newBuilder()
                        .setNodeName("n2")
                        .setStart("drain-started")
                        .build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("this is the driver of node n1, not of n2");
  }

  @Test
  void aFailureNamesTheNodeAndNoCondition() {
    CompletableFuture<LifecycleTransitionResponse> answer =
        calls.add(
            StartLifecycleTransitionRequest.newBuilder()
                .setEventName("e")
                .setStart("drain-started")
                .build());

    calls.answer(calls.pending().getFirst(), new Reply.Failed("cordon node: no"));

    assertThat(answer.join())
        .isEqualTo(
            LifecycleTransitionResponse.newBuilder()
                .setNodeName("n1")
                .setError("cordon node: no")
                .build());
  }
}
