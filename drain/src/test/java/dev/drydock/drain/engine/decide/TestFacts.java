package dev.drydock.drain.engine.decide;

import dev.drydock.contracts.LabelSelector;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Short ways to write the facts of a test. */
public final class TestFacts {
  public static final String NODE = "n1";
  public static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  public static final Owner REPLICA_SET = new Owner("apps/v1", "ReplicaSet", "web", "rs-1");
  public static final Owner DAEMON_SET = new Owner("apps/v1", "DaemonSet", "agent", "ds-1");
  public static final Owner JOB = new Owner("batch/v1", "Job", "train", "job-1");

  private TestFacts() {}

  public static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }

  public static Duration s(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  /** A ready pod of a ReplicaSet with label {@code app} set to its name up to the first dash. */
  public static PodFacts.Builder pod(String name) {
    return PodFacts.named("web", name, "uid-" + name)
        .on(NODE)
        .controller(REPLICA_SET)
        .labels(Map.of("app", name.replaceFirst("-.*", "")))
        .created(START.minusSeconds(3600));
  }

  public static PodFacts.Builder daemonSetPod(String name, DaemonSetLookup lookup) {
    return pod(name).controller(DAEMON_SET).daemonSet(lookup);
  }

  /** A budget over the pods of one app: so many healthy of so many needed, out of so many. */
  public static BudgetFacts.Builder budget(String app, int healthy, int needed, int expected) {
    return BudgetFacts.named("web", app + "-pdb")
        .selector(LabelSelector.matching("app", app))
        .version("1")
        .healthy(healthy, needed, expected)
        .disruptionsAllowed(Math.max(0, healthy - needed));
  }
}
