package dev.drydock.slurm.bridge.rest;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Fields;
import dev.drydock.slurm.bridge.decide.HostList;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** When the jobs of nodes end at the latest. */
final class JobEnds {
  private static final Logger LOG = LoggerFactory.getLogger(JobEnds.class);

  private JobEnds() {}

  /** The ends by node, without nodes where a job without a limit runs. */
  static Map<String, Instant> of(JsonNode jobs) {
    try {
      return read(jobs);
    } catch (IllegalArgumentException unreadable) {
      // Only estimates depend on it, and a missing one is better than one that is too short.
      LOG.warn("no estimates of when jobs end: {}", unreadable.getMessage());
      return Map.of();
    }
  }

  private static Map<String, Instant> read(JsonNode jobs) {
    Map<String, Instant> ends = new HashMap<>();
    Set<String> endless = new HashSet<>();
    for (JsonNode job : jobs) {
      List<String> states = Fields.list(job.path("job_state"));
      boolean running = states.contains("RUNNING");
      if (running || states.contains("SUSPENDED")) {
        List<String> nodes = HostList.names(text(job, "nodes"));
        if (running && hasEnd(job)) {
          Instant end = Instant.ofEpochSecond(job.path("end_time").path("number").asLong());
          nodes.forEach(
              node -> ends.merge(node, Fields.capped(end), (a, b) -> a.isAfter(b) ? a : b));
        } else {
          endless.addAll(nodes);
        }
      }
    }
    ends.keySet().removeAll(endless);
    return ends;
  }

  /** Whether a job has a time limit. For one without, Slurm says that it ends in a year. */
  private static boolean hasEnd(JsonNode job) {
    JsonNode end = job.path("end_time");
    return !job.path("time_limit").path("infinite").asBoolean(false)
        && end.path("set").asBoolean(false)
        && !end.path("infinite").asBoolean(false);
  }
}
