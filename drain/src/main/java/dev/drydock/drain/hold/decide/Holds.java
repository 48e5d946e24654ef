package dev.drydock.drain.hold.decide;

import dev.drydock.drain.hold.decide.Holds.Notice.What;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The holds of a node together with its cordon, which are always written in one patch. Every
 * operation returns what to write and which owners to notify, and is idempotent.
 *
 * <p>A node that has holds but is schedulable was uncordoned by a person. The person wins: every
 * operation first drops those holds and notifies their owners.
 */
public record Holds(NavigableMap<String, Hold> byHolder, boolean unschedulable) {
  /**
   * More are not placed, and an annotation with more is not read: each costs a request when owners
   * are looked for, and all have to fit into the annotations of a Node.
   */
  public static final int MOST = 64;

  /** A change to be recorded as an Event. */
  public record Notice(What what, Hold hold) {
    /** A fixed set, part of the API. */
    public enum What {
      PLACED,
      CHANGED,
      RELEASED,
      EXPIRED,
      /** A person uncordoned the node. */
      DROPPED,
      /** A person released everything through Drydock. */
      FORCED
    }
  }

  /** What to write, and which Events to record. */
  public record Change(Holds holds, List<Notice> notices) {
    public Change {
      notices = List.copyOf(notices);
    }

    /** This change and another one after it, in one write. */
    public Change then(Function<Holds, Change> next) {
      Change second = next.apply(holds);
      return new Change(
          second.holds(), Stream.concat(notices.stream(), second.notices().stream()).toList());
    }
  }

  public Holds {
    byHolder = Collections.unmodifiableNavigableMap(new TreeMap<>(byHolder));
  }

  public static Holds of(Collection<Hold> holds, boolean unschedulable) {
    NavigableMap<String, Hold> byHolder = new TreeMap<>();
    holds.forEach(hold -> byHolder.put(hold.holder(), hold));
    return new Holds(byHolder, unschedulable);
  }

  /** Adds a hold, or changes the reason and end of one's own, keeping its start time. */
  public Change place(Hold hold) {
    return place(hold, true);
  }

  /**
   * The same for a drain: the hold of an earlier object of that name goes, and nobody has to say
   * that the node is fit.
   */
  public Change claim(Hold hold) {
    return place(hold, false);
  }

  /**
   * @param keepsHold whether the hold of an earlier object of that name stays until a person ends
   *     it
   */
  private Change place(Hold hold, boolean keepsHold) {
    reserved(hold.holder());
    Draft draft = new Draft(this);
    if (draft.holds.isEmpty() && draft.unschedulable) {
      draft.put(What.PLACED, Hold.of(Hold.EXTERNAL, "the node was already cordoned", hold.since()));
    }
    Hold before = draft.holds.get(hold.holder());
    if (before != null && hold.owner().filter(uid -> !before.mayBeOf(uid)).isPresent()) {
      if (keepsHold) {
        draft.disown(before);
      } else {
        draft.notices.add(new Notice(What.RELEASED, before));
      }
      draft.put(What.PLACED, hold);
    } else if (before == null) {
      draft.put(What.PLACED, hold);
    } else {
      Hold after =
          new Hold(
              hold.holder(),
              hold.reason(),
              before.since(),
              hold.until(),
              hold.owner().or(before::owner),
              hold.work().or(before::work));
      if (!after.equals(before)) {
        draft.put(What.CHANGED, after);
      }
    }
    return draft.change();
  }

  /** One's own hold begins anew, because what it is for has changed. */
  public Change restart(String holder, String owner, Instant since) {
    Draft draft = new Draft(this);
    Hold hold = draft.holds.get(holder);
    if (hold != null && hold.mayBeOf(owner)) {
      draft.holds.put(holder, hold.startingAt(since));
    }
    return draft.change();
  }

  /** Names the Job that works on the node for a holder. Without its hold nothing is named. */
  public Change work(String holder, String owner, Hold.Work work) {
    Draft draft = new Draft(this);
    Hold hold = draft.holds.get(holder);
    if (hold != null && hold.mayBeOf(owner)) {
      draft.holds.put(holder, hold.working(work));
    }
    return draft.change();
  }

  /** Keeps the node out under another name for an owner that is gone, until a person uncordons. */
  public Change disown(Hold hold) {
    return endOrphans(List.of(), List.of(hold));
  }

  /**
   * Ends holds whose owners are gone, unless they changed since: then they may be of another owner.
   *
   * @param outliving those that keep the node out under another name, as in {@link #disown}
   */
  public Change endOrphans(List<Hold> released, List<Hold> outliving) {
    Draft draft = new Draft(this);
    outliving.stream().filter(draft::has).forEach(draft::disown);
    released.stream()
        .filter(draft::has)
        .forEach(hold -> draft.remove(What.RELEASED, hold.holder()));
    return draft.change();
  }

  /** Removes one's own hold, but not that of another object of the same name. */
  public Change release(String holder, String owner) {
    Hold hold = byHolder.get(holder);
    return hold == null || hold.mayBeOf(owner) ? release(holder) : observe();
  }

  /** Adds a hold to a cordoned node; leaves a schedulable one alone. */
  public Change join(Hold hold) {
    return unschedulable ? place(hold) : observe();
  }

  /** Removes one's own hold; removing the last one makes the node schedulable. */
  public Change release(String holder) {
    reserved(holder);
    Draft draft = new Draft(this);
    draft.remove(What.RELEASED, holder);
    return draft.change();
  }

  /**
   * Releases a hold on another owner's request, and with it a cordon that Drydock did not place.
   * Other holds stay.
   */
  public Change releaseWithCordon(String holder) {
    reserved(holder);
    Draft draft = new Draft(this);
    draft.remove(What.RELEASED, holder);
    draft.remove(What.RELEASED, Hold.EXTERNAL);
    if (draft.holds.isEmpty()) {
      draft.unschedulable = false;
    }
    return draft.change();
  }

  /** Removes expired holds. */
  public Change expire(Instant now) {
    Draft draft = new Draft(this);
    byHolder.values().stream()
        .filter(hold -> hold.until().filter(end -> !now.isBefore(end)).isPresent())
        .forEach(hold -> draft.remove(What.EXPIRED, hold.holder()));
    return draft.change();
  }

  /** Drops the holds of a node that a person has uncordoned; otherwise changes nothing. */
  public Change observe() {
    return new Draft(this).change();
  }

  /** A person makes the node schedulable, regardless of holds and other cordons. */
  public Change releaseEverything() {
    Draft draft = new Draft(this);
    List.copyOf(draft.holds.keySet()).forEach(holder -> draft.remove(What.FORCED, holder));
    draft.unschedulable = false;
    return draft.change();
  }

  public boolean heldBy(String holder) {
    return byHolder.containsKey(holder);
  }

  /** Whether an object, known by its UID, has the hold: that of a namesake is not its own. */
  public boolean heldBy(String holder, Optional<String> owner) {
    Hold hold = byHolder.get(holder);
    return hold != null && owner.filter(uid -> !hold.mayBeOf(uid)).isEmpty();
  }

  /** Whether there is no room for another one. */
  public boolean isFull() {
    return byHolder.size() >= MOST;
  }

  /** When {@link #expire} next has something to do. */
  public Optional<Instant> nextExpiry() {
    return byHolder.values().stream()
        .flatMap(hold -> hold.until().stream())
        .min(Instant::compareTo);
  }

  private static void reserved(String holder) {
    if (holder.equals(Hold.EXTERNAL)) {
      throw new IllegalArgumentException(
          "\""
              + Hold.EXTERNAL
              + "\" means a cordon by others; choose another holder,"
              + " or let a person release everything");
    }
  }

  /** Builds the next state. */
  private static final class Draft {
    private final NavigableMap<String, Hold> holds;
    private final List<Notice> notices = new ArrayList<>();
    private boolean unschedulable;

    Draft(Holds now) {
      holds = new TreeMap<>(now.byHolder());
      unschedulable = now.unschedulable();
      if (!unschedulable) {
        List.copyOf(holds.keySet()).forEach(holder -> remove(What.DROPPED, holder));
      }
    }

    boolean has(Hold hold) {
      return hold.equals(holds.get(hold.holder()));
    }

    void put(What what, Hold hold) {
      holds.put(hold.holder(), hold);
      notices.add(new Notice(what, hold));
      unschedulable = true;
    }

    void disown(Hold hold) {
      holds.remove(hold.holder());
      put(What.CHANGED, hold.disowned());
    }

    void remove(What what, String holder) {
      Hold gone = holds.remove(holder);
      if (gone == null) {
        return;
      }
      notices.add(new Notice(what, gone));
      if (holds.isEmpty()) {
        unschedulable = false;
      }
    }

    Change change() {
      return new Change(new Holds(holds, unschedulable), notices);
    }
  }
}
