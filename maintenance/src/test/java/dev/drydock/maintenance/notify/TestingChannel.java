package dev.drydock.maintenance.notify;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A receiver that takes notices, or does not, as it is told. It outlives the outboxes. */
final class TestingChannel implements Channel {
  private static final Outcome TAKEN = new Outcome.Delivered();

  /** What it does with a notice. */
  interface Behaviour {
    Outcome on(Notice notice) throws InterruptedException;
  }

  static final Behaviour DEAD = notice -> Outcome.Later.because("dead");

  private final String name;
  private final Predicate<Notice> wanted;
  private final List<Notice> taken = new CopyOnWriteArrayList<>();
  private final AtomicInteger tries = new AtomicInteger();
  private volatile Behaviour behaviour = notice -> TAKEN;

  TestingChannel(String name) {
    this(name, notice -> true);
  }

  TestingChannel(String name, Predicate<Notice> wanted) {
    this.name = name;
    this.wanted = wanted;
  }

  TestingChannel that(Behaviour does) {
    behaviour = does;
    return this;
  }

  void recover() {
    behaviour = notice -> TAKEN;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean wants(Notice notice) {
    return wanted.test(notice);
  }

  @Override
  public Outcome deliver(Notice notice) throws InterruptedException {
    tries.incrementAndGet();
    Outcome outcome = behaviour.on(notice);
    if (outcome instanceof Outcome.Delivered) {
      taken.add(notice);
    }
    return outcome;
  }

  int tries() {
    return tries.get();
  }

  List<Notice> taken() {
    return List.copyOf(taken);
  }

  /** Numbers of the notices of a node, as often as they came. */
  List<Integer> all(String node) {
    return taken.stream()
        .filter(notice -> notice.node().equals(node))
        .map(TestNotices::number)
        .toList();
  }

  /** In the order in which they came first. */
  List<Integer> numbers(String node) {
    return all(node).stream().distinct().toList();
  }

  @Override
  public void close() {
    // the receiver stays
  }
}
