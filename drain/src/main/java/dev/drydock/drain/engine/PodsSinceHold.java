package dev.drydock.drain.engine;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.engine.decide.PodProof;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import dev.drydock.kube.TryAgain;
import dev.drydock.kube.Watch;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Whether the watch of a node's pods shows all that were bound before the node was held. It does
 * once it has shown something of a later time, whatever its delay: it was listed again, or a pod is
 * gone that still existed when the node was held already. Safe for use by many threads.
 */
final class PodsSinceHold {
  private static final PodProof GIVEN = new PodProof.Given();
  private static final PodProof MISSING = new PodProof.Missing();

  private final KubeHttp http;
  private final String node;

  /** How often the node was held: again after it was uncordoned, or deleted and created again. */
  private int hold;

  /** Lists that had begun by then, and so may be older. */
  private int listsBefore;

  /** UIDs of pods that existed after that. */
  private final Set<String> existed = new HashSet<>();

  private PodProof proof = MISSING;
  private boolean wanted;

  PodsSinceHold(KubeHttp http, String node) {
    this.http = http;
    this.node = node;
  }

  /** The node is held: what was seen before is no proof any more. */
  synchronized void held(int listsBegun) {
    hold++;
    listsBefore = listsBegun;
    existed.clear();
    proof = MISSING;
    wanted = false;
  }

  /** The number of the hold, for what is found out while the node is held. */
  synchronized int hold() {
    return hold;
  }

  /** The server accepted to remove a pod, asked while this was the hold. */
  synchronized void existed(int since, String uid) {
    if (since == hold) {
      existed.add(uid);
    }
  }

  /** Ask this first and read the pods then: a proof is about what the watch shows from now on. */
  synchronized PodProof proof() {
    return proof;
  }

  /** Whether these pods, as the watch shows them, are proof. */
  synchronized boolean isShownBy(Watch.State<PodFacts> pods) {
    boolean shown = pods.list() > listsBefore || isOneGone(pods);
    if (shown) {
      proof = GIVEN;
    }
    return shown;
  }

  private boolean isOneGone(Watch.State<PodFacts> pods) {
    if (proof.equals(GIVEN) || existed.isEmpty() || !pods.unreadable().isEmpty()) {
      return false;
    }
    return !uids(pods).containsAll(existed);
  }

  /** Whether the drain would end if there was proof. Returns whether to {@link #look} for it. */
  synchronized boolean want(boolean now) {
    boolean begins = now && !wanted;
    wanted = now;
    return begins;
  }

  private synchronized boolean isWanted() {
    return wanted && !proof.equals(GIVEN);
  }

  /**
   * Lists the pods if that is needed for a proof: the watch is up to date if it shows all of them.
   *
   * @param watched what the watch shows now
   */
  void look(Supplier<Watch.State<PodFacts>> watched) {
    if (!isWanted()) {
      return;
    }
    int now = hold();
    try {
      List<Listed> pods = http.readAll("pods of node " + node, Source.podsOn(node), Listed::of);
      Watch.State<PodFacts> seen = watched.get();
      Set<String> known = uids(seen);
      for (Listed pod : pods) {
        if (!known.contains(pod.uid()) && !seen.unreadable().containsKey(pod.name())) {
          throw new TryAgain("the watch does not show pod " + pod.name() + " yet");
        }
      }
      found(now, GIVEN);
    } catch (ApiFailure | TryAgain failure) {
      found(now, new PodProof.Failed(String.valueOf(failure.getMessage())));
      throw failure;
    }
  }

  private synchronized void found(int since, PodProof found) {
    if (since == hold && !proof.equals(GIVEN)) {
      proof = found;
    }
  }

  private static Set<String> uids(Watch.State<PodFacts> pods) {
    return pods.items().stream().map(PodFacts::uid).collect(Collectors.toSet());
  }

  /** A pod of a list, which need not be readable otherwise. */
  private record Listed(String name, String uid) {
    static Listed of(JsonNode pod) {
      JsonNode metadata = pod.path("metadata");
      return new Listed(
          text(metadata, "namespace") + "/" + text(metadata, "name"), text(metadata, "uid"));
    }
  }
}
