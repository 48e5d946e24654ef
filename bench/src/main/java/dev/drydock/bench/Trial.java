package dev.drydock.bench;

import java.util.Map;

/**
 * One contestant in one round. {@code value} is the measured figure in the benchmark's unit; {@code
 * details} are further figures by name.
 */
record Trial(String contestant, int round, double value, Usage usage, Map<String, Double> details) {

  /** The ideal client's part, whose requests and memory are not counted. */
  static Trial ofFloor(int round, double value) {
    return new Trial(Contestant.FLOOR, round, value, new Usage(0, 0, Double.NaN), Map.of());
  }

  /** What it took: requests that reached the API server, for how many pods, and memory. */
  record Usage(int requests, int drainedPods, double memoryMib) {
    static Usage of(PeerRun run, int drainedPods) {
      return new Usage(run.requests().size(), drainedPods, run.peakKib() / 1024.0);
    }

    Usage plus(Usage other) {
      return new Usage(
          requests + other.requests,
          drainedPods + other.drainedPods,
          Math.max(memoryMib, other.memoryMib));
    }

    double requestsPerPod() {
      return drainedPods == 0 ? Double.NaN : (double) requests / drainedPods;
    }
  }
}
