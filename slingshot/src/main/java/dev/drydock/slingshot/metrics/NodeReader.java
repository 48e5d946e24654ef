package dev.drydock.slingshot.metrics;

import dev.drydock.slingshot.metrics.decide.NodeSample;
import dev.drydock.slingshot.metrics.decide.NodeSample.Handler;
import dev.drydock.slingshot.metrics.decide.NodeSample.Nic;
import dev.drydock.slingshot.node.CxiSysfs;
import dev.drydock.slingshot.node.HostRoots;
import dev.drydock.slingshot.node.LoadedModules;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a node's NICs and modules, and asks for its retry handlers. */
final class NodeReader {
  private static final Logger LOG = LoggerFactory.getLogger(NodeReader.class);

  private final CxiSysfs sysfs;
  private final LoadedModules modules;
  private final Optional<RetryHandlerClient> retryHandler;
  private String lastFailure = "";

  NodeReader(HostRoots roots, Optional<URI> retryHandler) {
    sysfs = new CxiSysfs(roots);
    modules = new LoadedModules(roots);
    this.retryHandler = retryHandler.map(RetryHandlerClient::new);
  }

  NodeSample read() {
    return new NodeSample(nics(), loaded(), handlers(), retryHandler.isPresent());
  }

  private Optional<List<Nic>> nics() {
    // a folder that does not exist means no NICs
    if (Files.exists(sysfs.folder()) && !Files.isReadable(sysfs.folder())) {
      LOG.warn("cannot read {}", sysfs.folder());
      return Optional.empty();
    }
    return Optional.of(
        sysfs.nics().stream()
            .map(nic -> new Nic(nic.name(), nic.pciAddress(), nic.numaNode(), nic.link()))
            .toList());
  }

  private Set<String> loaded() {
    return Set.copyOf(modules.all().keySet());
  }

  private Optional<Map<String, Handler>> handlers() {
    if (retryHandler.isEmpty()) {
      return Optional.empty();
    }
    try {
      Map<String, Handler> handlers = retryHandler.get().handlers();
      lastFailure = "";
      return Optional.of(handlers);
    } catch (IOException unanswered) {
      String failure = String.valueOf(unanswered.getMessage());
      if (!failure.equals(lastFailure)) {
        LOG.warn("no status of retry handlers: {}", failure);
      }
      lastFailure = failure;
      return Optional.empty();
    }
  }
}
