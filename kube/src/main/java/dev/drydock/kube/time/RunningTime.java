package dev.drydock.kube.time;

/** Runs timers as real time passes, on a thread of its own. */
public final class RunningTime implements AutoCloseable {
  private final Timers timers;
  private final Thread thread;

  private RunningTime(Timers timers) {
    this.timers = timers;
    this.thread = Thread.ofVirtual().name("timers").unstarted(this::run);
  }

  public static RunningTime start(Timers timers) {
    RunningTime time = new RunningTime(timers);
    time.thread.start();
    return time;
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        timers.awaitDue();
        timers.runDue();
      }
    } catch (InterruptedException e) {
      // closed: the timers are no longer needed
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
