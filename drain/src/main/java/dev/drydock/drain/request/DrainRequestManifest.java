package dev.drydock.drain.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.kube.LabelValue;
import dev.drydock.kube.Typed;

/** DrainRequests as they are created. */
public final class DrainRequestManifest {
  private DrainRequestManifest() {}

  public static ObjectNode of(String namespace, String name, DrainRequestSpec spec) {
    ObjectNode manifest = DrainRequestObject.RESOURCE.manifest(namespace, name);
    ObjectNode metadata = manifest.withObject("/metadata");
    metadata.putObject("labels").put(DrainRequest.NODE_LABEL, LabelValue.of(spec.nodeName()));
    if (spec.drainer() != null) {
      metadata.putObject("annotations").put(DrainRequest.DRAINER_ANNOTATION, spec.drainer());
    }
    manifest.set("spec", Typed.tree(spec));
    return manifest;
  }
}
