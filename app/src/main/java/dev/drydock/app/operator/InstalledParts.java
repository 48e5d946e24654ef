package dev.drydock.app.operator;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CrdInstall;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.Features;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out which features a cluster has the definitions for. */
final class InstalledParts {
  private static final Logger LOG = LoggerFactory.getLogger(InstalledParts.class);

  private final KubeHttp http;

  InstalledParts(KubeHttp http) {
    this.http = http;
  }

  /**
   * All of these.
   *
   * @throws CommandFailure if the cluster does not know a kind of theirs: told at once, rather than
   *     by requests that nobody ever answers
   */
  void require(Features wanted) {
    wanted.all().stream()
        .flatMap(feature -> missing(feature).stream())
        .findFirst()
        .ifPresent(
            kind -> {
              throw unknown(kind);
            });
  }

  /** Those whose kinds the cluster knows; fails if there is none. */
  Features among(Features all) {
    List<Feature> found = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (Feature feature : all.all()) {
      Optional<String> missing = missing(feature);
      if (missing.isEmpty()) {
        found.add(feature);
      } else {
        unknown.add(missing.get());
        LOG.warn(
            "part {} is off: this cluster does not know {}s; to have it: {}",
            feature.part(),
            missing.get(),
            CrdInstall.ALL);
      }
    }
    if (found.isEmpty() && !unknown.isEmpty()) {
      throw unknown(unknown.getFirst());
    }
    return new Features(found);
  }

  private static CommandFailure unknown(String kind) {
    return CrdInstall.missing(kind + "s", CrdInstall.ALL);
  }

  /** A kind of the feature that the cluster does not know. */
  private Optional<String> missing(Feature feature) {
    return feature.kinds().stream()
        .filter(kind -> !isKnown(kind))
        .map(HasMetadata::getKind)
        .findFirst();
  }

  private boolean isKnown(Class<? extends CustomResource<?, ?>> kind) {
    String path =
        "/apis/%s/%s".formatted(HasMetadata.getApiVersion(kind), HasMetadata.getPlural(kind));
    KubeAnswer answer = http.send(ApiCall.list(path + "?limit=1"));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return false;
    }
    var _ = answer.orThrow("list of " + HasMetadata.getKind(kind) + "s");
    return true;
  }
}
