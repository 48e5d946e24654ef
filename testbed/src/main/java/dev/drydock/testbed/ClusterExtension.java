package dev.drydock.testbed;

import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Implements {@link ClusterTest}. Starts the control plane on first use. */
public final class ClusterExtension implements ExecutionCondition, ParameterResolver {
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(ClusterExtension.class);
  private static final String REQUIRED = "DRYDOCK_REQUIRE_CLUSTER";

  private final Environment environment;
  private final TestbedProgress progress;

  public ClusterExtension() {
    this(Environment.ofProcess(), TestbedProgress.stderr());
  }

  ClusterExtension(Environment environment, TestbedProgress progress) {
    this.environment = environment;
    this.progress = progress;
  }

  /** Whether tests fail instead of being skipped on machines that cannot run clusters. */
  public static boolean isRequired() {
    return Environment.ofProcess().isTrue(REQUIRED);
  }

  /** The control plane of this run, for extensions that build on it; JUnit closes it at the end. */
  public static ControlPlane controlPlane(ExtensionContext context) {
    return ofRun(context, Start.class, Start::now).controlPlane();
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return switch (ofRun(context, Search.class, this::search)) {
      case Search.Found found ->
          ConditionEvaluationResult.enabled("programs from " + found.programs().source());
      case Search.Missing missing ->
          ConditionEvaluationResult.disabled(missing.reason().getMessage());
    };
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
    // JUnit closes it at the end of the test or class that the parameter belongs to
    context.getStore(STORE).put(namespace, namespace);
    return namespace;
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

  /**
   * One value for all test classes of the run; JUnit closes it if it can be closed. Kept for the
   * session: where several processes share the classes of a module, each class is an execution.
   */
  private static <T> T ofRun(ExtensionContext context, Class<T> type, Supplier<T> create) {
    return context
        .getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, STORE)
        .computeIfAbsent(type, key -> create.get(), type);
  }

  /** The result of the search for the programs, kept so that it is reported once for all tests. */
  private sealed interface Search {
    record Found(KubernetesPrograms programs) implements Search {}

    record Missing(TestbedUnavailable reason) implements Search {}
  }

  /** The result of the only start, kept so that a failed start is not repeated for every test. */
  private record Start(@Nullable ControlPlane started, @Nullable RuntimeException failure)
      implements AutoCloseable {

    static Start now() {
      try {
        return new Start(ControlPlane.start(), null);
      } catch (RuntimeException e) {
        return new Start(null, e);
      }
    }

    ControlPlane controlPlane() {
      if (started == null) {
        throw new TestbedException("no control plane for this run", failure);
      }
      return started;
    }

    @Override
    public void close() {
      if (started != null) {
        started.close();
      }
    }
  }
}
