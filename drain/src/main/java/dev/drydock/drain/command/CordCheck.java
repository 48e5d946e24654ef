package dev.drydock.drain.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.ApiFailure;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A look at the andon cord before something begins; taken while other things are read. */
public final class CordCheck {
  /** Lets everything begin. */
  public static final CordCheck NONE =
      new CordCheck(CompletableFuture.completedFuture(Optional.empty()));

  private final CompletableFuture<Optional<AndonCord.Pull>> cord;

  private CordCheck(CompletableFuture<Optional<AndonCord.Pull>> cord) {
    this.cord = cord;
  }

  public static CordCheck begin(AndonCord cord) {
    return new CordCheck(CompletableFuture.supplyAsync(cord::read, Thread::startVirtualThread));
  }

  /**
   * Fails if the cord is pulled. Whoever may not see it is warned only: many who may drain nodes
   * may read nothing else, and Drydock's manifests let everybody see the cord.
   */
  public void require(Terminal terminal) {
    Optional<AndonCord.Pull> pull;
    try {
      pull = cord.join();
    } catch (CompletionException failed) {
      if (!(failed.getCause() instanceof ApiFailure failure)) {
        throw failed;
      }
      if (failure.code() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw failure;
      }
      terminal
          .err()
          .println("Warning: cannot see whether 'drydock stop' was run: " + failure.getMessage());
      terminal.err().flush();
      return;
    }
    pull.ifPresent(
        pulled -> {
          throw new CommandFailure(refusal(pulled));
        });
  }

  static String refusal(AndonCord.Pull pull) {
    return "nothing new may begin: %s, or begin nevertheless with --ignore-stop".formatted(pull);
  }
}
