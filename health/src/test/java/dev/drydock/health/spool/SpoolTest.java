package dev.drydock.health.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SpoolTest {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final SpoolLimits SMALL = new SpoolLimits(4096, Duration.ZERO, 256);

  @TempDir private Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> texts(List<SpoolRecord> records) {
    return records.stream()
        .map(record -> new String(record.payload(), StandardCharsets.UTF_8))
        .toList();
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".spool")).toList();
    }
  }

  private Spool open(SpoolLimits limits) throws IOException {
    return Spool.open(folder, limits, CLOCK);
  }

  @Test
  void batchesComeInOrderUntilForwardedAlsoAfterARestart() throws Exception {
    String id;
    try (Spool spool = open(SMALL)) {
      id = spool.id();
      for (int i = 0; i < 30; i++) {
        spool.append(bytes("batch " + i));
      }
      List<SpoolRecord> first = spool.peek(10, 1 << 20);
      assertThat(texts(first)).hasSize(10).startsWith("batch 0").endsWith("batch 9");
      spool.forwarded(first.getLast().number());
      assertThat(spool.waiting()).isEqualTo(20);
    }

    try (Spool spool = open(SMALL)) {
      assertThat(spool.id()).isEqualTo(id);
      assertThat(spool.waiting()).isEqualTo(20);
      List<SpoolRecord> rest = spool.peek(100, 1 << 20);
      assertThat(texts(rest))
          .containsExactlyElementsOf(IntStream.range(10, 30).mapToObj(i -> "batch " + i).toList());
      spool.forwarded(rest.getLast().number());
      assertThat(spool.peek(100, 1 << 20)).isEmpty();
      assertThat(segments()).hasSize(1);
    }
  }

  @Test
  void peekIsBoundedByBytesButGivesOne() throws Exception {
    try (Spool spool = open(SMALL)) {
      spool.append(new byte[300]);
      spool.append(new byte[300]);

      assertThat(spool.peek(10, 1)).hasSize(1);
      assertThat(spool.peek(10, 700)).hasSize(2);
    }
  }

  @Test
  void aFullSpoolRefusesAndTakesAgainWhenForwarded() throws Exception {
    try (Spool spool = open(SMALL)) {
      int taken = fill(spool);
      assertThat(taken).isGreaterThan(20);
      assertThat(spool.bytes()).isLessThanOrEqualTo(4096);

      List<SpoolRecord> all = spool.peek(1000, 1 << 20);
      assertThat(all).hasSize(taken);
      spool.forwarded(all.get(taken / 2).number());

      spool.append(bytes("room again"));
    }
  }

  private static int fill(Spool spool) throws IOException {
    for (int i = 0; ; i++) {
      try {
        spool.append(new byte[100]);
      } catch (SpoolFull full) {
        assertThat(full).hasMessageContaining("full").hasMessageContaining("4096");
        return i;
      }
    }
  }

  @Test
  void batchesThatWerePutAsideTakeRoomUntilSomebodyRemovesThem() throws Exception {
    SpoolLimits limits = new SpoolLimits(20_000, Duration.ZERO, 256);
    try (Spool spool = open(limits)) {
      int refused = 0;
      SpoolFull full = null;
      while (full == null) {
        try {
          spool.append(new byte[100]);
          spool.putAside(spool.peek(1, 1 << 20).getFirst());
          refused++;
        } catch (SpoolFull none) {
          full = none;
        }
      }
      assertThat(full).hasMessageContaining("refused-N");
      assertThat(refused).isEqualTo(5);
    }

    try (Spool spool = open(limits)) {
      assertThatThrownBy(() -> spool.append(new byte[100])).isInstanceOf(SpoolFull.class);
      Files.delete(folder.resolve("refused-1"));
      spool.append(new byte[100]);
    }
  }

  @Test
  void aBatchThatWaitsTooLongPushesBack() throws Exception {
    Instant[] now = {Instant.EPOCH};
    Clock clock =
        new Clock() {
          @Override
          public java.time.ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(java.time.ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return now[0];
          }
        };
    SpoolLimits hour = SpoolLimits.of(1 << 20, Duration.ofHours(1));
    try (Spool spool = Spool.open(folder, hour, clock)) {
      spool.append(bytes("old"));
      now[0] = now[0].plus(Duration.ofMinutes(61));

      assertThatThrownBy(() -> spool.append(bytes("new")))
          .isInstanceOf(SpoolFull.class)
          .hasMessageContaining("3660 s");
      spool.forwarded(spool.peek(1, 1).getFirst().number());
      spool.append(bytes("new"));
    }
  }

  @Test
  void tornBytesAtTheEndAreCutOff() throws Exception {
    try (Spool spool = open(SMALL)) {
      spool.append(bytes("whole"));
    }
    Path segment = segments().getFirst();
    Files.write(segment, new byte[] {0, 0, 0, 9, 1, 2}, StandardOpenOption.APPEND);

    try (Spool spool = open(SMALL)) {
      spool.append(bytes("next"));
      assertThat(texts(spool.peek(10, 1000))).containsExactly("whole", "next");
    }
  }

  @Test
  void numbersAreNotGivenTwiceThoughThePositionIsLost() throws Exception {
    long last;
    try (Spool spool = open(SMALL)) {
      for (int i = 0; i < 20; i++) {
        spool.append(new byte[50]);
      }
      last = spool.peek(100, 1 << 20).getLast().number();
      spool.forwarded(last);
    }
    Files.delete(folder.resolve("forwarded"));

    try (Spool spool = open(SMALL)) {
      spool.append(bytes("new"));
      assertThat(spool.peek(100, 1 << 20).getLast().number()).isGreaterThan(last);
    }
  }

  /** Two writers of one file would each write over what the other has acknowledged. */
  @Test
  void aSpoolThatIsInUseIsNotOpenedTwice() throws Exception {
    try (Spool spool = open(SMALL)) {
      spool.append(bytes("first"));
      assertThatThrownBy(() -> open(SMALL))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another connector uses the spool in " + folder);
      spool.append(bytes("second"));
      assertThat(texts(spool.peek(100, 1 << 20))).containsExactly("first", "second");
    }

    try (Spool next = open(SMALL)) {
      assertThat(texts(next.peek(100, 1 << 20))).containsExactly("first", "second");
    }
  }

  @Test
  void aSpoolThatCannotBeOpenedIsNotInUse() throws Exception {
    try (Spool spool = open(SMALL)) {
      spool.append(bytes("first"));
    }
    Files.writeString(folder.resolve("id"), "damaged");
    assertThatThrownBy(() -> open(SMALL)).hasMessageContaining("is damaged");
    assertThatThrownBy(() -> open(SMALL)).hasMessageContaining("is damaged");
  }

  @Test
  void aFailedWriteIsRefusedAndTheNextOneIsTaken() throws Exception {
    for (int operation = 0; operation < 40; operation++) {
      CrashingFiles files = new CrashingFiles();
      Spool spool = Spool.open(files, SMALL, CLOCK);
      files.failAt(files.operations() + operation);
      List<String> taken = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        try {
          spool.append(bytes("batch " + i));
          taken.add("batch " + i);
        } catch (IOException refused) {
          assertThat(refused).hasMessageContaining("no space");
        }
      }

      assertThat(texts(spool.peek(100, 1 << 20))).as("failure at " + operation).isEqualTo(taken);
      files.heal();
      Spool again = Spool.open(files, SMALL, CLOCK);
      assertThat(texts(again.peek(100, 1 << 20))).as("failure at " + operation).isEqualTo(taken);
    }
  }

  /** Everything acknowledged is there once, in order, wherever the machine dies. */
  @ParameterizedTest
  @EnumSource
  void aCrashAtEveryFileOperationLosesNothing(CrashingFiles.Left left) throws Exception {
    int operations = 1000;
    for (int crash = 0; crash < operations; crash++) {
      CrashingFiles files = new CrashingFiles();
      Random random = new Random(crash);
      files.crashAt(crash);
      List<String> acknowledged = new ArrayList<>();
      List<String> forwarded = new ArrayList<>();
      String attempted = "";
      try {
        Spool spool = Spool.open(files, SMALL, CLOCK);
        for (int i = 0; i < 25; i++) {
          attempted = "batch " + i;
          spool.append(bytes(attempted));
          acknowledged.add(attempted);
          if (i % 6 == 5) {
            List<SpoolRecord> some = spool.peek(4, 1 << 20);
            forwarded.addAll(texts(some));
            spool.forwarded(some.getLast().number());
          }
        }
        operations = files.operations();
      } catch (CrashingFiles.Crash dead) {
        // as wanted
      }
      files.reboot(left, random);

      Spool after = Spool.open(files, SMALL, CLOCK);
      List<String> found = texts(after.peek(1000, 1 << 20));
      List<String> expected = new ArrayList<>(acknowledged);
      if (found.contains(attempted) && !acknowledged.contains(attempted)) {
        expected.add(attempted); // complete on disk, though nobody was told
      }
      assertThat(expected)
          .as("crash at %d, left %s", crash, left)
          .endsWith(found.toArray(String[]::new));
      List<String> missing = expected.subList(0, expected.size() - found.size());
      assertThat(forwarded).as("crash at %d, left %s", crash, left).containsAll(missing);

      after.append(bytes("after"));
      assertThat(texts(after.peek(1000, 1 << 20))).endsWith("after");
      List<Long> numbers = after.peek(1000, 1 << 20).stream().map(SpoolRecord::number).toList();
      assertThat(numbers).doesNotHaveDuplicates().isSorted();
    }
    assertThat(operations).isLessThan(1000);
  }

  /** Its second use breaks; the first waits until then. */
  private static final class BreakingClock extends Clock {
    private final CountDownLatch used = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @Override
    public Instant instant() {
      if (used.getCount() == 0) {
        throw new IllegalStateException("a bug");
      }
      used.countDown();
      try {
        go.await();
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
      return Instant.EPOCH;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private static Thread appending(Spool spool, String text, List<String> taken) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                spool.append(bytes(text));
                taken.add(text);
              } catch (SpoolFull | IOException | IllegalStateException refused) {
                // not taken
              }
            });
  }

  @Test
  void whoeverSharesAWriteThatBreaksIsNotToldThatItsBatchIsSafe() throws Exception {
    BreakingClock clock = new BreakingClock();
    List<String> taken = new CopyOnWriteArrayList<>();
    try (Spool spool = Spool.open(folder, SMALL, clock)) {
      Thread first = appending(spool, "first", taken);
      clock.used.await();
      List<Thread> others =
          List.of(appending(spool, "second", taken), appending(spool, "third", taken));
      Eventually.inRealTime()
          .until(() -> others.stream().allMatch(each -> each.getState() == Thread.State.WAITING));

      clock.go.countDown();

      first.join();
      for (Thread each : others) {
        each.join();
      }
      assertThat(taken).containsExactly("first");
      assertThat(texts(spool.peek(10, 1 << 20))).containsExactly("first");
    }
  }
}
