package dev.drydock.drain.hold.decide;

/** What an earlier process did for a drain. */
public enum EarlierDrain {
  /** Nothing: the drain begins now. */
  NONE,
  /** It began, and may have held the node. */
  BEGUN,
  /** It held the node: if the hold is gone, a person ended the drain. */
  HELD
}
