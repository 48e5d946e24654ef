package dev.drydock.slingshot.command;

import com.sun.net.httpserver.HttpHandler;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CommandLogging;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.WhenStopped;
import dev.drydock.kube.Health;
import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.web.HealthPages;
import dev.drydock.serve.web.WebServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** A program that serves its node until it is stopped. */
interface NodeProgram extends AutoCloseable {
  /**
   * Begins to serve. Its pages are served already.
   *
   * @throws IOException with one line that says why it cannot
   */
  void start() throws IOException;

  /** Why it cannot serve at present, one line each. */
  List<String> unready();

  /** Pages besides those of its health, or instead of them, by their paths. */
  default Map<String, HttpHandler> pages() {
    return Map.of();
  }

  @Override
  void close();

  /**
   * Runs a program that needs no cluster.
   *
   * @param port of its pages
   * @param setting what to change if the port is taken
   */
  static int run(
      int port,
      WebServer.Setting setting,
      int verbosity,
      Function<LoopFactory, NodeProgram> maker) {
    CommandLogging.enable(verbosity);
    LoopFactory loops = new LoopFactory(TimeSource.REAL);
    return run(port, setting, loops.health(), maker.apply(loops));
  }

  /**
   * Runs a program until it is stopped.
   *
   * @param health of the control loops that it uses
   */
  static int run(int port, WebServer.Setting setting, Health health, NodeProgram program) {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Map<String, HttpHandler> pages =
        new HashMap<>(new HealthPages(health, program::unready, () -> "").pages());
    pages.putAll(program.pages());
    try (WebServer _ = WebServer.plain(new InetSocketAddress(port), setting, pages);
        WhenStopped _ =
            new WhenStopped(
                () -> {
                  end.countDown();
                  await(ended);
                });
        program) {
      program.start();
      await(end);
    } catch (IOException unusable) {
      throw new CommandFailure(String.valueOf(unusable.getMessage()), unusable);
    } finally {
      ended.countDown();
    }
    return ExitCode.OK;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
