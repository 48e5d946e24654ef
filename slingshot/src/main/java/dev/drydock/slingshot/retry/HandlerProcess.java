package dev.drydock.slingshot.retry;

import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A retry handler that was started. */
public interface HandlerProcess {
  /** Starts processes, so that tests need none. */
  @FunctionalInterface
  interface Starter {
    HandlerProcess start(String nic) throws IOException;
  }

  long pid();

  /** Its exit code, if it has ended. */
  OptionalInt ended();

  /** Completes when it ends. */
  CompletableFuture<?> onExit();

  /** Asks it to end: it restores the NIC's timeouts. */
  void terminate();

  void kill();

  /** Processes of this machine, whose output is that of this one. */
  static Starter real(HandlerLauncher launcher, CrashAction onCrash) {
    return nic ->
        new Real(
            new ProcessBuilder(launcher.command(nic, onCrash))
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
  }

  /** Whether it has ended after at most these seconds. */
  default boolean awaitEnd(long seconds) throws InterruptedException {
    try {
      @Nullable Object ended = onExit().get(seconds, TimeUnit.SECONDS);
      return ended != null;
    } catch (TimeoutException still) {
      return false;
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** A process. */
  record Real(Process process) implements HandlerProcess {
    @Override
    public long pid() {
      return process.pid();
    }

    @Override
    public OptionalInt ended() {
      return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    @Override
    public CompletableFuture<?> onExit() {
      return process.onExit();
    }

    @Override
    public void terminate() {
      process.destroy();
    }

    @Override
    public void kill() {
      process.destroyForcibly();
    }
  }
}
