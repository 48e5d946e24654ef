package dev.drydock.app.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CrdInstall;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Fields;
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

/** Finds out which features have their CRDs installed. */
final class InstalledParts {
  private static final Logger LOG = LoggerFactory.getLogger(InstalledParts.class);

  private final KubeHttp http;

  InstalledParts(KubeHttp http) {
    this.http = http;
  }

  /**
   * Requires the CRDs of all these features.
   *
   * @throws CommandFailure if the CRD of one of their kinds is not installed, because their
   *     requests would never be answered; or if it lacks a field that is needed
   */
  void require(Features wanted) {
    wanted.all().stream()
        .flatMap(feature -> missing(feature).stream())
        .findFirst()
        .ifPresent(
            kind -> {
              throw unknown(kind);
            });
    wanted.all().forEach(this::requireFields);
  }

  /** The features whose CRDs are installed; fails if there is none, or one lacks a field. */
  Features among(Features all) {
    List<Feature> found = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (Feature feature : all.all()) {
      Optional<String> missing = missing(all, feature);
      if (missing.isEmpty()) {
        requireFields(feature);
        found.add(feature);
      } else {
        unknown.add(missing.get());
        LOG.warn(
            "part {} is disabled because the CRD of {} is not installed; to enable it run: {}",
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

  /** Whether all CRDs of a feature are installed. */
  boolean has(Feature feature) {
    return missing(feature).isEmpty();
  }

  private void requireFields(Feature feature) {
    feature
        .neededFields()
        .forEach(
            (kind, fields) ->
                schema(kind)
                    .flatMap(
                        schema -> fields.stream().filter(field -> !has(schema, field)).findFirst())
                    .ifPresent(
                        field -> {
                          throw CrdInstall.outdated(HasMetadata.getKind(kind), field);
                        }));
  }

  /**
   * What the API server says about a kind to everybody; to read the CRD itself takes a right of its
   * own. Empty if it does not say anything, as just after the CRD was installed.
   */
  private Optional<JsonNode> schema(Class<? extends CustomResource<?, ?>> kind) {
    String path = "/openapi/v3/apis/" + HasMetadata.getApiVersion(kind);
    KubeAnswer answer = http.send(ApiCall.get(path));
    if (answer.code() != HttpURLConnection.HTTP_OK) {
      LOG.warn(
          "cannot check the CRD of {}: {} answers {}",
          HasMetadata.getKind(kind),
          path,
          answer.code());
      return Optional.empty();
    }
    return answer
        .orThrow(path)
        .path("components")
        .path("schemas")
        .valueStream()
        .filter(
            schema ->
                schema
                    .path("x-kubernetes-group-version-kind")
                    .valueStream()
                    .anyMatch(each -> Fields.text(each, "kind").equals(HasMetadata.getKind(kind))))
        .findFirst();
  }

  private static boolean has(JsonNode schema, String field) {
    JsonNode at = schema;
    for (String part : field.split("\\.", -1)) {
      at = at.path("properties").path(part);
    }
    return !at.isMissingNode();
  }

  private static CommandFailure unknown(String kind) {
    return CrdInstall.missing(kind, CrdInstall.ALL);
  }

  /** A kind of the feature, or of one that it needs, whose CRD is not installed. */
  private Optional<String> missing(Features all, Feature feature) {
    return all.only(List.of(feature.part())).all().stream()
        .flatMap(each -> missing(each).stream())
        .findFirst();
  }

  /** A kind of the feature whose CRD is not installed. */
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
