package dev.drydock.testbed;

import java.util.Locale;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** What {@link ClusterTest} promises. The control plane is started when first asked for. */
public final class ClusterExtension implements ExecutionCondition, ParameterResolver {
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(ClusterExtension.class);
  private static final String REQUIRED = "DRYDOCK_REQUIRE_CLUSTER";

  private final Environment environment;
  private final Progress progress;

  public ClusterExtension() {
    this(Environment.ofProcess(), Progress.stderr());
  }

  ClusterExtension(Environment environment, Progress progress) {
    this.environment = environment;
    this.progress = progress;
  }

  /** The outcome of looking for the programs, kept so that it is reported once for all tests. */
  private sealed interface Search {
    record Found(KubernetesPrograms programs) implements Search {}

    record Missing(TestbedUnavailable reason) implements Search {}
  }

  /** Whether a machine on which tests cannot run is a failure. */
  public static boolean isRequired() {
    return Environment.ofProcess().isTrue(REQUIRED);
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Search search =
        context
            .getRoot()
            .getStore(STORE)
            .computeIfAbsent("programs", key -> search(), Search.class);
    return switch (search) {
      case Search.Found found ->
          ConditionEvaluationResult.enabled("programs from " + found.programs().source());
      case Search.Missing missing ->
          ConditionEvaluationResult.disabled(missing.reason().getMessage());
    };
  }

  private Search search() {
    try {
      return new Search.Found(KubernetesPrograms.obtain(environment, progress));
    } catch (TestbedUnavailable unavailable) {
      if (environment.isTrue(REQUIRED)) {
        throw unavailable;
      }
      progress.report("cluster tests are skipped: " + unavailable.getMessage());
      return new Search.Missing(unavailable);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == ControlPlane.class || type == TestNamespace.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ControlPlane controlPlane = controlPlane(context);
    if (parameter.getParameter().getType() == ControlPlane.class) {
      return controlPlane;
    }
    String prefix = context.getRequiredTestClass().getSimpleName().toLowerCase(Locale.ROOT);
    TestNamespace namespace = controlPlane.createNamespace(prefix);
    // closed by JUnit at the end of the test or class that the parameter is for
    context.getStore(STORE).put(namespace, namespace);
    return namespace;
  }

  /** The control plane of this run, for extensions that add to it; JUnit closes it at the end. */
  public static ControlPlane controlPlane(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(STORE)
        .computeIfAbsent(ControlPlane.class, key -> ControlPlane.start(), ControlPlane.class);
  }
}
