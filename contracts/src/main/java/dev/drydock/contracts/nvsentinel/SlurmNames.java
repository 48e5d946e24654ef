package dev.drydock.contracts.nvsentinel;

import java.util.List;

/** Names by which Slurm's state of a node is exchanged through Nodes and Pods. */
public final class SlurmNames {
  /** On a Node: Slurm gives it no new jobs while this exists; the value is the reason. */
  public static final String CORDON_REASON = "nodeset.slinky.slurm.net/node-cordon-reason";

  /** What the value of {@link #CORDON_REASON} starts with if a drainer wrote it. */
  public static final String CORDON_PREFIX = "[T] [NVSentinel]";

  /** Before the name of a state in the type of a Pod's condition. */
  public static final String STATE_CONDITION = "SlurmNodeState";

  public static final String DRAIN = STATE_CONDITION + "Drain";
  public static final String UNDRAIN = STATE_CONDITION + "Undrain";
  public static final String IDLE = STATE_CONDITION + "Idle";

  /** While one of these is True, jobs run on the node. */
  public static final List<String> BUSY =
      List.of(
          STATE_CONDITION + "Allocated", STATE_CONDITION + "Mixed", STATE_CONDITION + "Completing");

  /**
   * What the message of {@link #DRAIN} starts with if the drain follows from {@link
   * #CORDON_REASON}: nobody needs to be told about it as a fault.
   */
  public static final String OWN_DRAIN = "slurm-operator:";

  /** The namespace of the pods that are Slurm's workers, if nothing else is said. */
  public static final String DEFAULT_NAMESPACE = "slinky";

  private SlurmNames() {}
}
