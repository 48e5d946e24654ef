package dev.drydock.slingshot.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Typed;
import dev.drydock.serve.admission.AdmissionRule;
import dev.drydock.serve.admission.AdmissionVerdict;
import dev.drydock.slingshot.decide.DriverValidation;
import dev.drydock.slingshot.decide.OriginalImages;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the spec of a CXIDriver can be carried out. */
public final class CXIDriverRule implements AdmissionRule {
  /** The path of the webhook. */
  public static final String PATH = "/validate-cxi-hpe-com-v1-cxidriver";

  private final KubeHttp http;
  private final String namespace;
  private final OriginalImages images;

  public CXIDriverRule(KubeHttp http, String namespace, OriginalImages images) {
    this.http = http;
    this.namespace = namespace;
    this.images = images;
  }

  @Override
  public AdmissionVerdict judge(JsonNode request) {
    JsonNode object = request.path("object");
    JsonNode before = request.path("oldObject");
    boolean update = before.isObject();
    if (!object.isObject()
        || object.path("metadata").hasNonNull("deletionTimestamp")
        || (update && object.path("spec").equals(before.path("spec")))) {
      return AdmissionVerdict.ALLOWED; // what exists can always be finished and deleted
    }
    String name = Fields.text(object.path("metadata"), "name");
    DriverValidation.Result result =
        DriverValidation.check(
            tree(object.path("spec")),
            update ? tree(before.path("spec")) : null,
            update ? Optional.empty() : active().filter(other -> !other.equals(name)),
            images);
    return new AdmissionVerdict(
        result.errors().isEmpty() ? List.of() : List.of(result.message()),
        result.warnings(),
        List.of());
  }

  /** The active CXIDriver by the ConfigMap; read on creation only, for a warning. */
  private Optional<String> active() {
    return http.find(Resource.CONFIG_MAPS, namespace, CxiNames.SINGLETON)
        .map(map -> Fields.text(map.path("data"), CxiNames.ACTIVE_KEY))
        .filter(name -> !name.isEmpty());
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> tree(@Nullable JsonNode part) {
    return Typed.read(part != null && part.isObject() ? part : Json.object(), Map.class);
  }
}
