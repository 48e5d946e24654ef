package dev.drydock.maintenance.campaign;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.LabelValue;
import dev.drydock.kube.Resource;
import dev.drydock.maintenance.decide.campaign.CampaignRecord;
import dev.drydock.maintenance.decide.campaign.CompletedDeparture;
import dev.drydock.maintenance.decide.campaign.Departure;
import java.net.HttpURLConnection;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes that were allowed to leave and have not returned, and nodes that each campaign has done:
 * ConfigMaps in the operator's namespace, one for all departures and a few for each campaign.
 */
public final class DepartureLedger {
  private static final Logger LOG = LoggerFactory.getLogger(DepartureLedger.class);

  /** The ConfigMap of all departures, by node. */
  public static final String NAME = "drydock-departures";

  /** On every ConfigMap that is part of it. */
  public static final String LABEL = "drydock.dev/ledger";

  /** Nodes that are done are spread over so many ConfigMaps, for each takes a mebibyte at most. */
  private static final int PARTS = 8;

  /** Names of the ConfigMaps that say what is done: nobody can change them. */
  private static final Pattern DONE = Pattern.compile("drydock-campaign-(?<uid>.+)-\\d+");

  private final KubeHttp http;
  private final String namespace;

  /**
   * All that it says.
   *
   * @param namespace where it is
   * @param version of the ConfigMap of departures; absent if there is none yet
   * @param done by the campaign's UID and node
   */
  public record LedgerContents(
      String namespace,
      Optional<String> version,
      Map<String, Departure> departures,
      Map<String, Map<String, CompletedDeparture>> done) {
    /** By node. */
    Map<String, CompletedDeparture> doneBy(MaintenanceCampaignObject campaign) {
      return doneBy(campaign.uid());
    }

    private Map<String, CompletedDeparture> doneBy(String uid) {
      return done.computeIfAbsent(uid, _ -> new HashMap<>());
    }

    /** How many nodes a campaign has done, by its status and by the entries that are there. */
    CampaignRecord recordOf(MaintenanceCampaignObject campaign) {
      return campaign.record().with(doneBy(campaign).values());
    }

    /** Why it is not known which nodes a campaign has done, if so. */
    Optional<String> lost(MaintenanceCampaignObject campaign) {
      return recordOf(campaign).lost(doneBy(campaign).size());
    }

    boolean isDone(Departure departure) {
      return doneBy(departure.uid()).containsKey(departure.node());
    }

    Optional<Departure> entryOf(String node) {
      return Optional.ofNullable(departures.get(node));
    }

    /** Whether its node still leaves for the same campaign or maintenance. */
    boolean hasEntry(Departure departure) {
      return entryOf(departure.node())
          .filter(entry -> entry.uid().equals(departure.uid()))
          .isPresent();
    }

    /** With what was written to it. */
    LedgerContents after(Collection<Departure> added, Collection<Departure> removed) {
      Map<String, Departure> newer = new HashMap<>(departures);
      removed.forEach(departure -> newer.remove(departure.node()));
      added.forEach(departure -> newer.put(departure.node(), departure));
      return new LedgerContents(namespace, version, newer, done);
    }
  }

  public DepartureLedger(KubeHttp http, String namespace) {
    this.http = http;
    this.namespace = namespace;
  }

  private String maps() {
    return Resource.CONFIG_MAPS.collection(namespace);
  }

  /**
   * As it is now, past all caches. The departures first: a node that returns meanwhile is then in
   * both parts, and never in none.
   */
  public LedgerContents read() {
    Map<String, Departure> departures = new HashMap<>();
    Optional<JsonNode> map = http.find(Resource.CONFIG_MAPS, namespace, NAME);
    map.ifPresent(found -> readDepartures(found, departures));
    Map<String, Map<String, CompletedDeparture>> done = new HashMap<>();
    var _ =
        http.list(
                Resource.CONFIG_MAPS.in(namespace).labelSelector(LABEL),
                each -> {
                  Matcher ofCampaign = DONE.matcher(text(each.path("metadata"), "name"));
                  if (ofCampaign.matches()) {
                    Map<String, CompletedDeparture> nodes =
                        done.computeIfAbsent(ofCampaign.group("uid"), _ -> new HashMap<>());
                    texts(each.path("data")).forEach((node, entry) -> readDone(nodes, node, entry));
                  }
                })
            .orThrow("ConfigMaps of the ledger in namespace " + namespace);
    return new LedgerContents(
        namespace,
        map.map(found -> text(found.path("metadata"), "resourceVersion")),
        departures,
        done);
  }

  /** The entry of a node, read from the server. */
  Optional<Departure> readDeparture(String node) {
    Map<String, Departure> departures = new HashMap<>();
    http.find(Resource.CONFIG_MAPS, namespace, NAME)
        .ifPresent(map -> readDepartures(map, departures));
    return Optional.ofNullable(departures.get(node));
  }

  private static void readDepartures(JsonNode map, Map<String, Departure> departures) {
    texts(map.path("data")).forEach((node, entry) -> readDeparture(departures, node, entry));
  }

  /** An unreadable entry still counts as a departure. */
  private static void readDeparture(Map<String, Departure> all, String node, String entry) {
    String[] parts = entry.split(" ", 3);
    try {
      Instant at = Instant.parse(parts[0]);
      String by = parts.length > 1 ? parts[1] : "?";
      all.put(node, new Departure(node, by, parts.length > 2 ? parts[2] : "", at));
    } catch (DateTimeException unreadable) {
      LOG.warn(
          "ConfigMap {}: cannot parse the entry of node {}; delete it: {}",
          NAME,
          node,
          unreadable.getMessage());
      all.put(node, new Departure(node, "?", "", Instant.EPOCH));
    }
  }

  private static void readDone(Map<String, CompletedDeparture> all, String node, String entry) {
    String[] parts = entry.split(" ", -1);
    try {
      all.put(
          node,
          new CompletedDeparture(
              Instant.parse(parts[0]),
              Instant.parse(parts[Math.min(1, parts.length - 1)]),
              parts.length > 2 ? Integer.parseInt(parts[2]) : 0));
    } catch (DateTimeException | NumberFormatException unreadable) {
      LOG.warn("cannot parse the ledger's entry of node {}: {}", node, unreadable.getMessage());
      all.put(node, new CompletedDeparture(Instant.EPOCH, Instant.EPOCH));
    }
  }

  /** Returns false if the ledger changed since it was read. */
  boolean write(LedgerContents read, Collection<Departure> leave, Collection<Departure> over) {
    ObjectNode map = Json.object();
    ObjectNode metadata = map.putObject("metadata");
    metadata.putObject("labels").put(LABEL, "departures");
    ObjectNode data = map.putObject("data");
    over.forEach(departure -> data.putNull(departure.node()));
    leave.forEach(
        departure ->
            data.put(
                departure.node(),
                "%s %s %s"
                    .formatted(seconds(departure.grantedAt()), departure.by(), departure.uid())));
    KubeAnswer answer;
    if (read.version().isPresent()) {
      metadata.put("resourceVersion", read.version().get());
      answer = http.send(ApiCall.mergePatch(maps() + "/" + NAME, map.toString()));
    } else {
      map.put("apiVersion", "v1").put("kind", "ConfigMap");
      metadata.put("name", NAME);
      over.forEach(departure -> data.remove(departure.node()));
      answer = http.send(ApiCall.create(maps(), map.toString()));
    }
    boolean changed =
        answer.code() == HttpURLConnection.HTTP_CONFLICT
            || (read.version().isPresent() && answer.code() == HttpURLConnection.HTTP_NOT_FOUND);
    if (changed) {
      return false;
    }
    var _ = answer.orThrow("ConfigMap " + namespace + "/" + NAME);
    return true;
  }

  /** Says for good that a node is done. */
  void done(MaintenanceCampaignObject campaign, String node, CompletedDeparture times) {
    int part = Math.floorMod(node.hashCode(), PARTS);
    String name = "drydock-campaign-" + campaign.uid() + "-" + part;
    ObjectNode map = Json.object();
    ObjectNode metadata = map.putObject("metadata");
    // Also where somebody removed it: without it the entry would not be found.
    metadata
        .putObject("labels")
        .put(LABEL, "done")
        .put(CampaignNames.CAMPAIGN_LABEL, LabelValue.of(campaign.name()));
    map.putObject("data")
        .put(
            node, "%s %s %d".formatted(seconds(times.from()), seconds(times.to()), times.before()));
    KubeAnswer answer = http.send(ApiCall.mergePatch(maps() + "/" + name, map.toString()));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      map.put("apiVersion", "v1").put("kind", "ConfigMap");
      metadata.put("name", name);
      metadata
          .putArray("ownerReferences")
          .addObject()
          .put("apiVersion", MaintenanceCampaignObject.RESOURCE.apiVersion())
          .put("kind", MaintenanceCampaignObject.RESOURCE.kind())
          .put("name", campaign.name())
          .put("uid", campaign.uid());
      answer = http.send(ApiCall.create(maps(), map.toString()));
    }
    var _ = answer.orThrow("ConfigMap " + namespace + "/" + name);
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }
}
