package dev.drydock.drain.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.FailureExplanation;
import dev.drydock.cli.KubeErrors;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.kube.ApiFailure;

/** Turns exceptions of the drain engine into one line that says what to do. */
public final class EngineErrors implements FailureExplanation {
  @Override
  public Exception explain(Exception e) {
    return switch (e) {
      case ApiFailure failure -> new CommandFailure(words(failure), failure);
      case HoldsUnreadable unreadable ->
          new CommandFailure(String.valueOf(unreadable.getMessage()), unreadable);
      default -> e;
    };
  }

  /** The line that a user would see if a command ended with it. */
  static String line(RuntimeException e) {
    return e instanceof ApiFailure failure ? words(failure) : String.valueOf(e.getMessage());
  }

  private static String words(ApiFailure failure) {
    String said = String.valueOf(failure.getMessage()).lines().findFirst().orElse("no reason");
    return failure.code() == 0
        ? "cannot reach the API server (%s); is it running, and is the kubeconfig's server right?"
            .formatted(said)
        : KubeErrors.refusal(failure.code(), said).orElse(said);
  }
}
