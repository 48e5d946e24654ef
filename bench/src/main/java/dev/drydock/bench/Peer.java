package dev.drydock.bench;

import java.util.List;

/** A program that drains nodes, started as a user would start it. */
interface Peer {
  String name();

  /** The command that drains these nodes and returns when they are empty. */
  List<String> drain(List<String> nodes);

  /** How the program calls its version. */
  String version();

  /** Has a running process give up memory that holds only garbage, where it can be asked to. */
  void collectGarbage(long pid);
}
