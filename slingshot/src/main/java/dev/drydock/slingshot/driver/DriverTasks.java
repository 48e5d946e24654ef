package dev.drydock.slingshot.driver;

import dev.drydock.kube.time.TimeSource;
import dev.drydock.slingshot.driver.decide.DriverTask;
import dev.drydock.slingshot.driver.decide.DriverWork;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that takes too long for a step of a control loop: one task at a time, beside the loop, which
 * is woken when it gets further. A bug in it is met by the loop's next step.
 */
final class DriverTasks {
  private static final Logger LOG = LoggerFactory.getLogger(DriverTasks.class);

  private final TimeSource time;
  private final Runnable changed;
  private @Nullable DriverTask running;
  private @Nullable CompletableFuture<Void> end;
  private String step = "";
  private DriverWork work = DriverWork.NONE;

  /**
   * @param changed wakes the control loop
   */
  DriverTasks(TimeSource time, Runnable changed) {
    this.time = time;
    this.changed = changed;
  }

  /**
   * Begins a task; nothing else may be under way.
   *
   * @param run told where to report its steps
   */
  synchronized void start(DriverTask task, Consumer<Consumer<String>> run) {
    LOG.info("{} of driver {} for kernel {}", task.kind(), task.revision(), task.kernel());
    running = task;
    step = "begin";
    CompletableFuture<Void> started =
        CompletableFuture.runAsync(() -> run.accept(this::at), time::execute);
    end = started;
    var _ = started.whenComplete((_, _) -> changed.run());
  }

  private void at(String next) {
    synchronized (this) {
      step = next;
    }
    LOG.info("{}", next);
    changed.run();
  }

  synchronized boolean isIdle() {
    return running == null;
  }

  /** What was done and what is under way. */
  synchronized DriverWork work() {
    if (running != null && end != null && end.isDone()) {
      DriverTask task = running;
      CompletableFuture<Void> ended = end;
      running = null;
      end = null;
      ended(task, failure(ended));
    }
    return new DriverWork(
        Optional.ofNullable(running), running == null ? "" : step, work.files(), work.modules());
  }

  private Optional<DriverWork.Failure> failure(CompletableFuture<Void> ended) {
    try {
      ended.join();
      return Optional.empty();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof InstallFailure expected) {
        LOG.warn("{}: {}: {}", step, expected.reason(), expected.getMessage());
        return Optional.of(expected.at(step));
      }
      throw failed; // a bug, with its cause
    }
  }

  private void ended(DriverTask task, Optional<DriverWork.Failure> failure) {
    if (task.kind() == DriverTask.Kind.PREPARE) {
      return; // says nothing about the kernel that runs
    }
    boolean files = task.kind() == DriverTask.Kind.FILES;
    Optional<DriverWork.Ended> before = files ? work.files() : work.modules();
    int failures =
        failure.isEmpty()
            ? 0
            : 1
                + before
                    .filter(each -> each.task().revision().equals(task.revision()))
                    .map(DriverWork.Ended::failures)
                    .orElse(0);
    Optional<DriverWork.Ended> ended =
        Optional.of(new DriverWork.Ended(task, failure, failures, time.now()));
    work =
        new DriverWork(
            Optional.empty(),
            "",
            files ? ended : work.files(),
            // files that were put in place anew may load where those before did not
            files ? Optional.empty() : ended);
  }
}
