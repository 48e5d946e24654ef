package dev.drydock.edge.control;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.edge.record.EdgePaths;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.kube.Kube;

/**
 * What the parts of an agent at the edge share.
 *
 * @param bootId of the machine's present boot
 */
record EdgeContext(
    EdgeAgentSettings settings,
    Kube kube,
    DrainEngine engine,
    PublishedFiles published,
    EdgeFiles files,
    EdgeJournal journal,
    String bootId) {
  EdgePaths paths() {
    return settings.paths();
  }
}
