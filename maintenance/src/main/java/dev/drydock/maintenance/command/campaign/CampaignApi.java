package dev.drydock.maintenance.command.campaign;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.CrdInstall;
import dev.drydock.cli.NearestName;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import dev.drydock.kube.UnreadableObject;
import dev.drydock.maintenance.campaign.MaintenanceCampaignObject;
import dev.drydock.maintenance.control.MaintenanceClassObject;
import dev.drydock.maintenance.control.MaintenanceClasses;
import dev.drydock.maintenance.control.MaintenanceNodeObject;
import dev.drydock.maintenance.decide.campaign.BudgetLevel;
import dev.drydock.maintenance.decide.campaign.CampaignValidation;
import dev.drydock.maintenance.decide.campaign.SpecMistake;
import dev.drydock.serve.command.ExistenceCheck;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and changes campaigns, with errors for users of the command line. */
final class CampaignApi {
  private static final Logger LOG = LoggerFactory.getLogger(CampaignApi.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubeHttp http;

  CampaignApi(KubeHttp http) {
    this.http = http;
  }

  private static String path(String name) {
    return MaintenanceCampaignObject.ALL.path() + "/" + ApiCall.encode(name);
  }

  /** All that can be read. */
  List<MaintenanceCampaignObject> all() {
    List<MaintenanceCampaignObject> all = new ArrayList<>();
    KubeAnswer answer =
        http.list(
            MaintenanceCampaignObject.ALL,
            UnreadableObject.leftOut(
                MaintenanceCampaignObject::read,
                all::add,
                bad -> LOG.warn("MaintenanceCampaign {}", bad.getMessage())));
    requireKind(answer);
    var _ = answer.orThrow("list of MaintenanceCampaigns");
    return all;
  }

  private static void requireKind(KubeAnswer answer) {
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      throw CrdInstall.missing("MaintenanceCampaign", CrdInstall.ALL);
    }
  }

  MaintenanceCampaignObject get(String name) {
    JsonNode object =
        http.find(MaintenanceCampaignObject.RESOURCE, "", name).orElseThrow(() -> missing(name));
    List<MaintenanceCampaignObject> found = new ArrayList<>();
    UnreadableObject.leftOut(
            MaintenanceCampaignObject::read,
            found::add,
            bad -> {
              throw new CommandFailure("MaintenanceCampaign " + bad.getMessage());
            })
        .accept(object);
    return found.getFirst();
  }

  private CommandFailure missing(String name) {
    List<String> known = all().stream().map(MaintenanceCampaignObject::name).toList();
    return new CommandFailure(
        "MaintenanceCampaign %s does not exist%s; see: drydock campaign status"
            .formatted(name, NearestName.hint(name, known)));
  }

  /** Also checks this where no admission webhook is installed. */
  void check(String name, MaintenanceCampaignSpec spec, Instant now) {
    requireKind(http.send(ApiCall.list(MaintenanceCampaignObject.ALL.path() + "?limit=1")));
    String namespace = String.valueOf(spec.namespace());
    KubeAnswer found = http.send(ApiCall.get("/api/v1/namespaces/" + ApiCall.encode(namespace)));
    if (found.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      throw new CommandFailure(
          "namespace %s does not exist; set --namespace to the maintenances' namespace"
              .formatted(namespace));
    }
    var _ =
        new ExistenceCheck(http).require(MaintenanceClassObject.RESOURCE, spec.maintenanceClass());
    List<SpecMistake> mistakes =
        CampaignValidation.mistakes(name, spec, MaintenanceClasses.list(http), now);
    if (!mistakes.isEmpty()) {
      throw CommandFailure.usage(
          String.join("; ", mistakes.stream().map(SpecMistake::toString).toList()));
    }
  }

  /** How many nodes have these labels now; empty if the user may not list nodes. */
  OptionalInt countNodes(String selector) {
    AtomicInteger count = new AtomicInteger();
    Source nodes =
        selector.isEmpty()
            ? MaintenanceNodeObject.ALL
            : MaintenanceNodeObject.ALL.labelSelector(selector);
    KubeAnswer answer = http.list(nodes, _ -> count.incrementAndGet());
    return answer.ok() ? OptionalInt.of(count.get()) : OptionalInt.empty();
  }

  /** How many of them may be out of service at once, for people. */
  String limits(MaintenanceCampaignSpec spec) {
    List<BudgetLevel> levels = new ArrayList<>(BudgetLevel.of(spec.budgets()));
    MaintenanceClassSpec known = MaintenanceClasses.list(http).get(spec.maintenanceClass());
    if (known != null) {
      levels.addAll(BudgetLevel.of(known.budgets()));
    }
    return levels.isEmpty()
        ? BudgetLevel.DEFAULT.limit()
        : String.join(", ", levels.stream().map(BudgetLevel::limit).toList());
  }

  static ObjectNode object(String name, MaintenanceCampaignSpec spec) {
    ObjectNode object = MaintenanceCampaignObject.RESOURCE.manifest("", name);
    object.set("spec", JSON.valueToTree(spec));
    // a number of nodes is a number, a percentage is a string
    for (JsonNode budget : object.path("spec").path("budgets")) {
      String most = text(budget, "maxUnavailable");
      if (budget instanceof ObjectNode entry && most.matches("\\d{1,9}")) {
        entry.put("maxUnavailable", Integer.valueOf(most));
      }
    }
    return object;
  }

  JsonNode create(ObjectNode object, boolean dryRun) {
    String name = text(object.path("metadata"), "name");
    String path = MaintenanceCampaignObject.ALL.path() + (dryRun ? "?dryRun=All" : "");
    KubeAnswer answer = http.send(ApiCall.create(path, object.toString()));
    if (answer.code() == HttpURLConnection.HTTP_CONFLICT) {
      throw new CommandFailure(
          "MaintenanceCampaign %s already exists; see: drydock campaign status %s"
              .formatted(name, name));
    }
    requireKind(answer);
    return answer.orThrow("MaintenanceCampaign " + name);
  }

  /** A merge patch. */
  MaintenanceCampaignObject change(String name, ObjectNode patch) {
    KubeAnswer answer = http.send(ApiCall.mergePatch(path(name), patch.toString()));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      throw missing(name);
    }
    return MaintenanceCampaignObject.read(answer.orThrow("MaintenanceCampaign " + name));
  }
}
