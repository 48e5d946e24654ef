package dev.drydock.sim.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.fields.OwnedByOthers.Conflict;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The owners of an object's fields, as in {@code managedFields}, by apply or by update. */
public final class Ownership {
  /** The field manager, the subresource if any, and the time. */
  public record Writer(String name, String subresource, String time) {}

  /** The view of an object: its version, its schema, and the fields that a write ignores. */
  public record Form(String apiVersion, Schema schema, Predicate<String> ignored) {}

  /** Apply entries are the same in all versions, and so have none here. */
  private record Owner(String name, String operation, String apiVersion, String subresource) {
    String shown() {
      String who = "\"" + name + "\"";
      if (!subresource.isEmpty()) {
        who += " with subresource \"" + subresource + "\"";
      }
      return operation.equals(UPDATE) ? who + " using " + apiVersion : who;
    }
  }

  private record Share(String apiVersion, String time, FieldSet fields) {}

  private static final String MANAGED_FIELDS = "managedFields";
  private static final String APPLY = "Apply";
  private static final String UPDATE = "Update";
  private static final String BEFORE_FIRST_APPLY = "before-first-apply";

  /** Fields without an owner: the object's identity and the server's own metadata. */
  private static final List<String> NOT_OWNED =
      List.of(
          "name",
          "namespace",
          "creationTimestamp",
          "selfLink",
          "uid",
          "generation",
          MANAGED_FIELDS,
          "resourceVersion");

  private final Map<Owner, Share> shares = new HashMap<>();
  private final Form form;

  private Ownership(JsonNode managedFields, Form form) {
    this.form = form;
    for (JsonNode entry : managedFields) {
      Owner owner =
          owner(
              new Writer(
                  JsonTrees.text(entry, "manager"), JsonTrees.text(entry, "subresource"), ""),
              JsonTrees.text(entry, "operation"),
              JsonTrees.text(entry, "apiVersion"));
      FieldSet fields = FieldSet.parseRoot(entry.path("fieldsV1"));
      shares.put(
          owner,
          new Share(JsonTrees.text(entry, "apiVersion"), JsonTrees.text(entry, "time"), fields));
    }
  }

  private static Owner owner(Writer writer, String operation, String apiVersion) {
    String version = operation.equals(APPLY) ? "" : apiVersion;
    return new Owner(writer.name(), operation, version, writer.subresource());
  }

  /** Makes the writer own the fields it created. */
  public static void created(ObjectNode object, Form form, Writer writer) {
    Ownership ownership = new Ownership(JsonTrees.array(), form);
    ownership.wrote(form.schema().zero(), object, writer);
    ownership.putInto(object);
  }

  /** Makes the writer own the fields it changed. An object without managedFields stays without. */
  public static void updated(ObjectNode before, ObjectNode object, Form form, Writer writer) {
    JsonNode given = JsonTrees.at(object, "metadata", MANAGED_FIELDS);
    JsonNode known = JsonTrees.at(before, "metadata", MANAGED_FIELDS);
    boolean forgets =
        writer.subresource().isEmpty()
            && given.isArray()
            && (given.isEmpty() || (given.size() == 1 && given.path(0).isEmpty()));
    boolean takesGiven = writer.subresource().isEmpty() && given.isArray();
    Ownership ownership =
        new Ownership(forgets ? JsonTrees.array() : takesGiven ? given : known, form);
    if (!ownership.shares.isEmpty()) {
      ownership.wrote(before, object, writer);
    }
    ownership.putInto(object);
  }

  /**
   * The object with the applied configuration and the new owners.
   *
   * @throws OwnedByOthers if others own changed fields and the apply is not forced
   */
  public static ObjectNode applied(
      @Nullable ObjectNode live, ObjectNode wanted, Form form, Writer writer, boolean force) {
    ObjectNode base = live == null ? form.schema().zero() : live;
    Ownership ownership = new Ownership(JsonTrees.at(base, "metadata", MANAGED_FIELDS), form);
    if (live != null && ownership.shares.isEmpty()) {
      ownership.wrote(
          form.schema().zero(), live, new Writer(BEFORE_FIRST_APPLY, "", writer.time()));
    }
    ObjectNode merged = ownership.apply(base, wanted, writer, force);
    ownership.putInto(merged);
    return merged;
  }

  /** The fields of an older configuration that still have its values. */
  public static Set<String> unchangedSince(ObjectNode configuration, ObjectNode live, Form form) {
    Ownership ownership = new Ownership(JsonTrees.array(), form);
    ObjectNode wanted = ownership.ownable(configuration);
    Differences since = Differences.between(wanted, ownership.ownable(live), form.schema());
    return Set.copyOf(
        Differences.named(wanted, form.schema())
            .minus(since.modified())
            .minus(since.removed())
            .paths());
  }

  private ObjectNode apply(ObjectNode live, ObjectNode wanted, Writer writer, boolean force) {
    ObjectNode configuration = withoutIgnored(wanted);
    ObjectNode merged = (ObjectNode) Merging.merge(live, configuration, form.schema());
    Owner owner = owner(writer, APPLY, form.apiVersion());
    Share last = shares.get(owner);
    ObjectNode named = ownable(configuration);
    if (named.path("metadata").isEmpty()) {
      // always present, so its existence has no owner
      named.remove("metadata");
    }
    FieldSet fields = Differences.named(named, form.schema());
    shares.put(owner, new Share(form.apiVersion(), writer.time(), fields));
    if (last != null) {
      FieldSet kept =
          shares.values().stream().map(Share::fields).reduce(new FieldSet(), FieldSet::union);
      Merging.remove(merged, last.fields().minus(kept), kept, form.schema());
    }
    Differences differences = Differences.between(ownable(live), ownable(merged), form.schema());
    refuseConflicts(owner, differences, force);
    takeFromOthers(owner, differences);
    boolean same = differences.written().isEmpty() && differences.removed().isEmpty();
    if (last != null && same) {
      shares.computeIfPresent(
          owner, (_, share) -> new Share(share.apiVersion(), last.time(), share.fields()));
    }
    return merged;
  }

  private void refuseConflicts(Owner owner, Differences differences, boolean force) {
    List<Conflict> conflicts = new ArrayList<>();
    shares.forEach(
        (other, share) -> {
          if (!other.equals(owner)) {
            share
                .fields()
                .intersection(differences.written())
                .paths()
                .forEach(path -> conflicts.add(new Conflict(other.shown(), path)));
          }
        });
    if (!force && !conflicts.isEmpty()) {
      conflicts.sort(Comparator.comparing(Conflict::owner).thenComparing(Conflict::field));
      throw new OwnedByOthers(conflicts);
    }
  }

  private void wrote(ObjectNode before, ObjectNode after, Writer writer) {
    Differences differences = Differences.between(ownable(before), ownable(after), form.schema());
    Owner owner = owner(writer, UPDATE, form.apiVersion());
    takeFromOthers(null, differences);
    FieldSet written = differences.written();
    if (!written.isEmpty()) {
      Share previous = shares.get(owner);
      FieldSet fields = previous == null ? written : previous.fields().union(written);
      shares.put(owner, new Share(form.apiVersion(), writer.time(), fields));
    }
  }

  private void takeFromOthers(@Nullable Owner writer, Differences differences) {
    FieldSet taken = differences.written().union(differences.removed());
    shares.replaceAll(
        (owner, share) ->
            owner.equals(writer)
                ? share
                : new Share(share.apiVersion(), share.time(), share.fields().minus(taken)));
    shares.values().removeIf(share -> share.fields().isEmpty());
  }

  private ObjectNode withoutIgnored(ObjectNode object) {
    ObjectNode left = JsonTrees.object();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      if (!form.ignored().test(field.getKey())) {
        left.set(field.getKey(), field.getValue());
      }
    }
    return left;
  }

  private ObjectNode ownable(ObjectNode object) {
    ObjectNode view = withoutIgnored(object);
    view.remove(List.of("apiVersion", "kind"));
    ObjectNode metadata = JsonTrees.object();
    if (object.get("metadata") instanceof ObjectNode present) {
      metadata.setAll(present);
    }
    metadata.remove(NOT_OWNED);
    view.set("metadata", metadata);
    return view;
  }

  private void putInto(ObjectNode object) {
    ArrayNode entries = JsonTrees.array();
    shares.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<Owner, Share> each) -> each.getKey().operation())
                .thenComparing(each -> each.getValue().time())
                .thenComparing(each -> each.getKey().name())
                .thenComparing(each -> each.getValue().apiVersion())
                .thenComparing(each -> each.getKey().subresource()))
        .forEach(each -> entries.add(entry(each.getKey(), each.getValue())));
    if (entries.isEmpty()) {
      JsonTrees.metadata(object).remove(MANAGED_FIELDS);
    } else {
      JsonTrees.metadata(object).set(MANAGED_FIELDS, entries);
    }
  }

  private static ObjectNode entry(Owner owner, Share share) {
    ObjectNode entry = JsonTrees.object().put("manager", owner.name());
    entry.put("operation", owner.operation()).put("apiVersion", share.apiVersion());
    if (!share.time().isEmpty()) {
      entry.put("time", share.time());
    }
    entry.put("fieldsType", "FieldsV1").set("fieldsV1", share.fields().json());
    return owner.subresource().isEmpty() ? entry : entry.put("subresource", owner.subresource());
  }
}
