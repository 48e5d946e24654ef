package dev.drydock.health.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
  private final List<String> committed = new ArrayList<>();
  private final List<String> open = new ArrayList<>();

  private final GroupCommit commits =
      new GroupCommit(
          new GroupCommit.Transactions() {
            @Override
            public void begin() {
              open.clear();
            }

            @Override
            public void commit() {
              committed.addAll(open);
            }

            @Override
            public void rollback() {
              open.clear();
            }
          });

  /** A caller on a thread of its own. */
  private final class Caller {
    private final Thread thread;
    private volatile @Nullable Throwable failure;

    Caller(GroupCommit.Work<Boolean> work) {
      thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      var _ = commits.run(work);
                    } catch (Exception | InternalError failed) {
                      failure = failed;
                    }
                  });
    }

    boolean isWaiting() {
      return thread.getState() == Thread.State.WAITING;
    }

    Caller ended() throws InterruptedException {
      assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
      return this;
    }
  }

  @Test
  void aBugInOneCallersWorkIsItsOwn() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Caller first =
        new Caller(
            () -> {
              begun.countDown();
              try {
                go.await();
              } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
              }
              return open.add("first");
            });
    begun.await();
    Caller broken =
        new Caller(
            () -> {
              throw new IllegalArgumentException("a bug");
            });
    Caller good = new Caller(() -> open.add("good"));
    Eventually.inRealTime().until(() -> broken.isWaiting() && good.isWaiting());

    go.countDown();

    assertThat(first.ended().failure).isNull();
    assertThat(broken.ended().failure).hasMessage("a bug");
    assertThat(good.ended().failure).isNull();
    assertThat(committed).containsExactly("first", "good");
  }

  @Test
  void nobodyIsToldThatWhatAnErrorInterruptedIsCommitted() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Caller first =
        new Caller(
            () -> {
              begun.countDown();
              try {
                go.await();
              } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
              }
              return open.add("first");
            });
    begun.await();
    Caller broken =
        new Caller(
            () -> {
              throw new InternalError("broken"); // not a bug, which is noted
            });
    Caller other = new Caller(() -> open.add("other"));
    Eventually.inRealTime().until(() -> broken.isWaiting() && other.isWaiting());

    go.countDown();

    assertThat(first.ended().failure).isNull();
    assertThat(broken.ended().failure).isNotNull();
    assertThat(other.ended().failure).isNotNull();
    assertThat(committed).containsExactly("first");
  }
}
