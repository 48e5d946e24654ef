package dev.drydock.demo;

import dev.drydock.demo.Shell.Run;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Compares the expected state with the API's and prints one line per check. A check that fails is
 * repeated after each change in the cluster until its timeout.
 */
final class Checks {
  /** After this time the display shows what a check waits for. */
  private static final Duration SOON = Duration.ofSeconds(2);

  private final Screen screen;
  private final DemoPresenter presenter;
  private final ChangeCounter changes;
  private final Duration patience;
  private int passed;

  Checks(Screen screen, DemoPresenter presenter, ChangeCounter changes, Duration patience) {
    this.screen = screen;
    this.presenter = presenter;
    this.changes = changes;
    this.patience = patience;
  }

  /** The expectation, and the value found last. */
  private final class Claim implements BooleanSupplier {
    private final String what;
    private final String expected;
    private final Predicate<String> holds;
    private final Supplier<String> look;
    private String found = "";
    private boolean waiting;

    Claim(String what, String expected, Predicate<String> holds, Supplier<String> look) {
      this.what = what;
      this.expected = expected;
      this.holds = holds;
      this.look = look;
    }

    @Override
    public boolean getAsBoolean() {
      presenter.quitIfViewerLeft();
      found = look.get();
      if (waiting) {
        screen.prompt("[waiting for: " + this + "; q Enter: quit]");
      }
      return holds.test(found);
    }

    void sayThatItWaits() {
      waiting = screen.live();
      if (!waiting) {
        screen.line("waiting for: " + this);
      }
    }

    @Override
    public String toString() {
      return "%s: expected %s, found %s"
          .formatted(what, expected, found.isEmpty() ? "nothing" : found);
    }
  }

  /** Returns when {@code look} returns the expected value; fails on timeout. */
  void check(String what, String expected, Supplier<String> look) {
    check(new Claim(what, expected.isEmpty() ? "nothing" : expected, expected::equals, look));
  }

  /** Returns when there are at least this many. */
  void checkAtLeast(String what, int least, Supplier<Integer> look) {
    check(
        new Claim(
            what,
            least + " or more",
            found -> Integer.parseInt(found) >= least,
            () -> String.valueOf(look.get())));
  }

  void checkNot(String what, String unexpected, Supplier<String> look) {
    check(new Claim(what, "anything but " + unexpected, found -> !found.equals(unexpected), look));
  }

  /** Returns when the command has printed a line that contains all these texts. */
  void checkSaid(String what, Run run, String... words) {
    check(
        new Claim(
            what,
            "a line with " + String.join(" and ", words),
            _ -> run.saidAll(words),
            () -> String.join(" / ", run.said())));
  }

  private void check(Claim claim) {
    try {
      Duration first = patience.compareTo(SOON) < 0 ? patience : SOON;
      boolean so = changes.await(claim, first);
      if (!so) {
        claim.sayThatItWaits();
        so = changes.await(claim, patience.minus(first));
        screen.prompt("");
      }
      if (!so) {
        screen.line("failed: " + claim);
        throw new CheckFailed(claim.toString());
      }
      passed++;
      screen.line("ok: " + claim.what);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Quit();
    }
  }

  int passed() {
    return passed;
  }
}
