package dev.drydock.slingshot.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Latest;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.Versioned;
import dev.drydock.kube.Watch;
import dev.drydock.serve.tls.WebhookConfiguration;
import dev.drydock.slingshot.control.NodeParts.AgentFacts;
import dev.drydock.slingshot.control.NodeParts.DeviceFacts;
import dev.drydock.slingshot.control.NodeParts.Known;
import dev.drydock.slingshot.control.NodeParts.MaintenanceNode;
import dev.drydock.slingshot.control.NodeParts.NodeFacts;
import dev.drydock.slingshot.decide.CxiComponent;
import dev.drydock.slingshot.resource.CxiResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Everything that the controller looks at, kept up to date by watches and by its own writes. */
final class CxiCaches implements AutoCloseable {
  /** The objects of one kind: the newest of what the watch says and of our own writes. */
  static final class Cache<T extends Versioned> {
    private final Watch<T> watch;
    private final Latest<T> latest = new Latest<>();

    private Cache(Watch<T> watch) {
      this.watch = watch;
    }

    List<T> all() {
      return latest.of(watch.state().items());
    }

    T wrote(T object) {
      return latest.wrote(object);
    }

    void gone(T object) {
      latest.gone(object);
    }
  }

  private final List<Watch<?>> watches = new ArrayList<>();
  private final Kube kube;
  private final Runnable changed;
  final Cache<ApiObject> drivers;
  final Cache<ApiObject> singleton;
  final Cache<ApiObject> daemonSets;
  final Cache<ApiObject> accounts;
  final Cache<ApiObject> campaigns;
  final Cache<ApiObject> classes;
  final Cache<ApiObject> injectors;
  final Cache<ApiObject> validators;
  final Cache<Known<NodeFacts>> nodes;
  final Cache<Known<DeviceFacts>> devices;
  final Cache<Known<AgentFacts>> agents;
  final Cache<Known<MaintenanceNode>> maintenances;

  /**
   * @param namespace of the operator and of what runs on nodes
   * @param validator the configuration that the operator's CA is written to
   * @param changed called after each change, on any thread
   */
  CxiCaches(Kube kube, String namespace, String validator, Runnable changed) {
    this.kube = kube;
    this.changed = changed;
    String ours = CxiNames.MANAGED_BY + "=" + CxiNames.OPERATOR;
    drivers = whole(CxiResources.DRIVERS.all());
    singleton = whole(Resource.CONFIG_MAPS.named(namespace, CxiNames.SINGLETON));
    daemonSets = whole(Resource.DAEMON_SETS.in(namespace).labelSelector(ours));
    accounts = whole(CxiResources.SERVICE_ACCOUNTS.in(namespace).labelSelector(ours));
    campaigns = of(CxiResources.CAMPAIGNS.all(), CxiCaches::ours);
    classes = of(CxiResources.CLASSES.all(), CxiCaches::ours);
    injectors = whole(CxiResources.INJECTORS.all().labelSelector(ours));
    validators = whole(WebhookConfiguration.validating("").resource().named(validator));
    nodes = of(Resource.NODES.all(), NodeParts::node);
    devices = of(CxiResources.DEVICES.all(), NodeParts::device);
    agents =
        of(
            Resource.PODS
                .in(namespace)
                .labelSelector(
                    ours + "," + CxiNames.COMPONENT + "=" + CxiComponent.DRIVER_AGENT.text()),
            NodeParts::agent);
    maintenances = of(CxiResources.MAINTENANCES.all(), NodeParts::maintenance);
  }

  private static @Nullable ApiObject ours(JsonNode object) {
    ApiObject read = ApiObject.of(object);
    return CxiNames.OPERATOR.equals(read.labels().get(CxiNames.MANAGED_BY)) ? read : null;
  }

  private Cache<ApiObject> whole(Source source) {
    return of(source, ApiObject::of);
  }

  private <T extends Versioned> Cache<T> of(Source source, Function<JsonNode, @Nullable T> reader) {
    Watch<T> watch =
        kube.watches().of(Watch.Kind.of(source, reader), new OnlyIfDifferent<>(changed));
    watches.add(watch);
    return new Cache<>(watch);
  }

  /** Nodes report every few seconds; a change of nothing that is kept wakes nobody. */
  private record OnlyIfDifferent<T>(Runnable wake) implements Watch.Listener<T> {
    @Override
    public void changed(@Nullable T before, @Nullable T after) {
      boolean same =
          before instanceof Known<?> old
              && after instanceof Known<?> now
              && Objects.equals(old.facts(), now.facts());
      if (!same) {
        wake.run();
      }
    }

    @Override
    public void refreshed() {
      wake.run();
    }
  }

  void start() {
    watches.forEach(Watch::start);
  }

  /** Why not everything is known, if so: then nothing is decided. */
  Optional<String> unsynced() {
    return watches.stream().flatMap(watch -> watch.state().unsynced().stream()).findFirst();
  }

  @Override
  public void close() {
    watches.forEach(Watch::close);
  }
}
