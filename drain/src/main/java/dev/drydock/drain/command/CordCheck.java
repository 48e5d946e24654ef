package dev.drydock.drain.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.time.Background;
import java.net.HttpURLConnection;
import java.util.Optional;

/** Checks the andon cord before work starts; runs while other objects are read. */
public final class CordCheck {
  /** Never blocks. */
  public static final CordCheck NONE = new CordCheck(Background.done(Optional.empty()));

  private final Background<Optional<AndonCord.Pull>> cord;

  private CordCheck(Background<Optional<AndonCord.Pull>> cord) {
    this.cord = cord;
  }

  public static CordCheck begin(AndonCord cord) {
    return new CordCheck(Background.start(cord::read));
  }

  /**
   * Fails if the cord is pulled. A user who may not read it only gets a warning: many users who may
   * drain nodes may read little else, and Drydock's manifests let everybody read the cord.
   */
  public void require(Terminal terminal) {
    Optional<AndonCord.Pull> pull;
    try {
      pull = cord.join();
    } catch (ApiFailure failure) {
      if (failure.code() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw failure;
      }
      terminal
          .err()
          .println("Warning: cannot check whether 'drydock stop' was run: " + failure.getMessage());
      return;
    }
    pull.ifPresent(
        pulled -> {
          throw new CommandFailure(refusal(pulled));
        });
  }

  static String refusal(AndonCord.Pull pull) {
    return "nothing new may start: %s, or override with --ignore-stop".formatted(pull);
  }
}
