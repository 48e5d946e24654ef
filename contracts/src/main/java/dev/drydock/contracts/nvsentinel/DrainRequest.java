package dev.drydock.contracts.nvsentinel;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * Requests that a node be drained. The drainer sets the condition {@link #COMPLETE_CONDITION} to
 * True when no pod that had to leave exists any more; deleting the request cancels the drain.
 */
@Group(DrainRequest.GROUP)
@Version(DrainRequest.VERSION)
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.nodeName")
@AdditionalPrinterColumn(
    name = "Complete",
    jsonPath = ".status.conditions[?(@.type=='DrainComplete')].status")
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type=='DrainComplete')].reason")
@AdditionalPrinterColumn(
    name = "Gone",
    jsonPath = ".status.podsGone",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Left",
    jsonPath = ".status.podsLeft",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "ETA", jsonPath = ".status.eta")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class DrainRequest extends CustomResource<DrainRequestSpec, DrainRequestStatus>
    implements Namespaced {
  public static final String GROUP = "nvsentinel.nvidia.com";
  public static final String VERSION = "v1alpha1";
  public static final String KIND = "DrainRequest";

  /** The condition that clients of a DrainRequest wait for. */
  public static final String COMPLETE_CONDITION = "DrainComplete";

  /**
   * The same under the name that published configuration waits for. Drainers set both alike, so
   * that either ends the wait.
   */
  public static final String COMPLETE_ALIAS_CONDITION = "Complete";

  /** Set to True by a drainer that gave up: the node is not drained. */
  public static final String FAILED_CONDITION = "Failed";

  /** On a request: its node, so that clients can select by label. */
  public static final String NODE_LABEL = "nvsentinel.nvidia.com/node-name";

  /** The value of {@code spec.drainer} for Drydock's own engine. */
  public static final String BUILTIN_DRAINER = "builtin";

  /**
   * Names the drainer as {@code spec.drainer} does, also where the cluster has a definition of
   * DrainRequests without that field, which then is not kept.
   */
  public static final String DRAINER_ANNOTATION = "drydock.dev/drainer";

  /** The name of the drainer for nodes that run Slurm workers. */
  public static final String SLINKY_DRAINER = "slinky-drainer";

  /** Stands for whichever drainer is installed beside Drydock's own engine. */
  public static final String CUSTOM_DRAINER = "custom";

  /** Set by Drydock on a request it serves: nothing is left behind when the request is deleted. */
  public static final String FINALIZER = "drydock.dev/drain";

  /** Another drainer's claim on a request that names no drainer. */
  public static final String SLINKY_FINALIZER = "nvsentinel.nvidia.com/slinky-drainer";
}
