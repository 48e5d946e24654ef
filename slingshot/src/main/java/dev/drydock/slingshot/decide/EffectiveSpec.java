package dev.drydock.slingshot.decide;

import static java.util.Objects.requireNonNullElse;

import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.cxi.CXIDriverSpec;
import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.contracts.cxi.CXIDriverSpec.DrainScope;
import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.contracts.cxi.CXIDriverSpec.RetryHandlerMode;
import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.CXIDriverSpec.UpdateType;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a CXIDriver with every default filled in: an absent part is the same as an empty one.
 * Values that admission would have refused are replaced by the most careful ones.
 */
public record EffectiveSpec(
    String version,
    Source source,
    RetryHandler retryHandler,
    DevicePlugin devicePlugin,
    MetricsExporter metricsExporter,
    DriverAgent driverAgent,
    Map<String, String> nodeSelector,
    Optional<List<Map<String, Object>>> tolerations,
    Update update) {
  static final String DEFAULT_UNAVAILABLE = "10%";
  static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

  /** Pods per device; lists of more units are too long for the kubelet. */
  public static final int MOST_CAPACITY = 10_000;

  private static final Pattern UNAVAILABLE = Pattern.compile("[1-9]\\d{0,6}|([1-9]\\d?|100)%");
  private static final Pattern ARCHIVE =
      Pattern.compile("https?://.*|.*\\.(zip|tar|tar\\.gz|tgz)", Pattern.CASE_INSENSITIVE);

  /** Where the driver comes from; {@code repositories} by name, each {@code URL@REF}. */
  public record Source(
      SourceType type,
      Optional<String> archive,
      Optional<String> prebuiltCache,
      Optional<String> tag,
      Platform platform,
      Map<String, String> repositories) {}

  /** The mode is {@code none} if it is not enabled. */
  public record RetryHandler(
      RetryHandlerMode mode,
      Optional<String> image,
      Map<String, Object> resources,
      Map<String, String> nodeSelector,
      Optional<List<Map<String, Object>>> tolerations,
      Map<String, Object> sidecarResources,
      CrashAction onCrash) {}

  /** Offers the devices. */
  public record DevicePlugin(
      boolean enabled,
      String resourceName,
      Optional<String> image,
      SharingMode sharingMode,
      int sharedCapacity) {}

  /** Serves metrics. */
  public record MetricsExporter(
      boolean enabled, Optional<String> image, int port, Map<String, Object> resources) {}

  /** Installs the driver. */
  public record DriverAgent(Optional<String> image, Map<String, Object> resources) {}

  /**
   * How a new version is rolled out.
   *
   * @param replaced values that cannot be used, and what is used instead
   */
  public record Update(
      UpdateType type,
      String maxUnavailable,
      boolean rollback,
      Duration healthCheckTimeout,
      DrainScope scope,
      @Nullable Integer deadlineSeconds,
      DrainRequestSpec.@Nullable AtDeadline atDeadline,
      boolean paused,
      CounterGate gate,
      Optional<Integer> perSwitch,
      List<String> replaced) {}

  public static EffectiveSpec of(CXIDriverSpec spec) {
    return new EffectiveSpec(
        spec.version(),
        source(spec.source()),
        retryHandler(spec.retryHandler()),
        devicePlugin(spec.devicePlugin()),
        metricsExporter(spec.metricsExporter()),
        driverAgent(spec),
        map(spec.nodeSelector()),
        Optional.ofNullable(spec.tolerations()),
        update(spec.updateStrategy()));
  }

  /** Whether a text in {@code source.repository} is an archive, and not an image. */
  static boolean isArchive(String repository) {
    return ARCHIVE.matcher(repository).matches();
  }

  static boolean isUnavailable(String text) {
    return UNAVAILABLE.matcher(text).matches();
  }

  private static Source source(CXIDriverSpec.@Nullable Source given) {
    CXIDriverSpec.Source source =
        given == null ? new CXIDriverSpec.Source(null, null, null, null, null) : given;
    CXIDriverSpec.Dkms dkms =
        source.dkms() == null ? new CXIDriverSpec.Dkms(null, null, null) : source.dkms();
    Map<String, String> repositories = new TreeMap<>();
    CXIDriverSpec.Repositories named = dkms.repositories();
    if (named != null) {
      add(repositories, "cxiDriver", named.cxiDriver());
      add(repositories, "sbl", named.sbl());
      add(repositories, "slDriver", named.slDriver());
      add(repositories, "cassiniHeaders", named.cassiniHeaders());
    }
    return new Source(
        requireNonNullElse(source.type(), SourceType.dkms),
        text(source.url()).or(() -> text(source.repository()).filter(EffectiveSpec::isArchive)),
        text(source.prebuiltCache()),
        text(dkms.tag()),
        requireNonNullElse(dkms.platform(), Platform.cassini),
        repositories);
  }

  private static void add(
      Map<String, String> all, String name, CXIDriverSpec.@Nullable Repository one) {
    if (one != null) {
      all.put(name, one.url() + "@" + one.ref());
    }
  }

  private static RetryHandler retryHandler(CXIDriverSpec.@Nullable RetryHandler given) {
    CXIDriverSpec.RetryHandler handler =
        given == null ? new CXIDriverSpec.RetryHandler(null, null, null, null, null, null) : given;
    CXIDriverSpec.OnNodes nodes = handler.daemonset();
    CXIDriverSpec.Sidecar sidecar = handler.sidecar();
    return new RetryHandler(
        requireNonNullElse(handler.enabled(), true)
            ? requireNonNullElse(handler.mode(), RetryHandlerMode.daemonset)
            : RetryHandlerMode.none,
        text(handler.image()),
        nodes == null ? Map.of() : map(nodes.resources()),
        nodes == null ? Map.of() : map(nodes.nodeSelector()),
        nodes == null ? Optional.empty() : Optional.ofNullable(nodes.tolerations()),
        sidecar == null ? Map.of() : map(sidecar.resources()),
        requireNonNullElse(handler.onCrash(), CrashAction.restart));
  }

  private static DevicePlugin devicePlugin(CXIDriverSpec.@Nullable DevicePlugin given) {
    CXIDriverSpec.DevicePlugin plugin =
        given == null ? new CXIDriverSpec.DevicePlugin(null, null, null, null, null) : given;
    return new DevicePlugin(
        requireNonNullElse(plugin.enabled(), true),
        text(plugin.resourceName()).orElse(CxiNames.DEFAULT_RESOURCE),
        text(plugin.image()),
        requireNonNullElse(plugin.sharingMode(), SharingMode.shared),
        Math.clamp(requireNonNullElse(plugin.sharedCapacity(), 100), 1, MOST_CAPACITY));
  }

  private static MetricsExporter metricsExporter(CXIDriverSpec.@Nullable MetricsExporter given) {
    CXIDriverSpec.MetricsExporter exporter =
        given == null ? new CXIDriverSpec.MetricsExporter(null, null, null, null) : given;
    return new MetricsExporter(
        requireNonNullElse(exporter.enabled(), true),
        text(exporter.image()),
        requireNonNullElse(exporter.port(), 9090),
        map(exporter.resources()));
  }

  private static DriverAgent driverAgent(CXIDriverSpec spec) {
    CXIDriverSpec.DriverAgent agent = spec.driverAgent();
    Optional<String> inSource =
        spec.source() == null
            ? Optional.empty()
            : text(spec.source().repository()).filter(text -> !isArchive(text));
    return new DriverAgent(
        (agent == null ? Optional.<String>empty() : text(agent.image())).or(() -> inSource),
        agent == null ? Map.of() : map(agent.resources()));
  }

  private static Update update(CXIDriverSpec.@Nullable UpdateStrategy given) {
    CXIDriverSpec.UpdateStrategy update =
        given == null
            ? new CXIDriverSpec.UpdateStrategy(null, null, null, null, null, null, null, null)
            : given;
    CXIDriverSpec.Drain drain =
        update.drain() == null ? new CXIDriverSpec.Drain(null, null, null) : update.drain();
    String unavailable = requireNonNullElse(update.maxUnavailable(), DEFAULT_UNAVAILABLE);
    Optional<Duration> timeout =
        text(update.healthCheckTimeout()).flatMap(GoDuration::find).filter(Duration::isPositive);
    List<String> replaced = new ArrayList<>();
    if (!isUnavailable(unavailable)) {
      replaced.add(replaced("maxUnavailable", unavailable, "1"));
    }
    if (update.healthCheckTimeout() != null && timeout.isEmpty()) {
      replaced.add(replaced("healthCheckTimeout", update.healthCheckTimeout(), "5m"));
    }
    return new Update(
        requireNonNullElse(update.type(), UpdateType.RollingUpdate),
        isUnavailable(unavailable) ? unavailable : "1",
        requireNonNullElse(update.rollbackOnFailure(), true),
        timeout.orElse(DEFAULT_TIMEOUT),
        requireNonNullElse(drain.scope(), DrainScope.CXIPods),
        drain.deadlineSeconds(),
        drain.deadlineSeconds() == null ? null : drain.atDeadline(),
        requireNonNullElse(update.paused(), false),
        CounterGate.of(update.gate()),
        Optional.ofNullable(update.maxUnavailablePerSwitch()),
        List.copyOf(replaced));
  }

  private static String replaced(String field, String given, String used) {
    return "spec.updateStrategy.%s: \"%s\" cannot be used, %s is used instead"
        .formatted(field, given, used);
  }

  private static Optional<String> text(@Nullable String text) {
    return Optional.ofNullable(text).filter(given -> !given.isBlank());
  }

  private static <V> Map<String, V> map(@Nullable Map<String, V> map) {
    return map == null ? Map.of() : map;
  }

  /**
   * Identifies version and source: what is installed. A node with another one has to be updated.
   */
  public String revision() {
    return revision(version, source);
  }

  /** The revision of a driver of this version from this source. */
  public static String revision(String version, Source source) {
    return Tree.hash(
        List.of(
            version,
            source.type(),
            source.archive().orElse(""),
            source.prebuiltCache().orElse(""),
            source.tag().orElse(""),
            source.platform(),
            source.repositories()));
  }

  /** Whether the driver agent installs anything. */
  public boolean installs() {
    return source.type() != SourceType.preinstalled;
  }
}
