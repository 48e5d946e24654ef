package dev.drydock.testbed.realkubelet;

import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.TestbedProgress;
import dev.drydock.testbed.TestbedUnavailable;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Implements {@link RealKubeletTest}. Starts the node on first use. */
public final class RealKubeletExtension implements ExecutionCondition, ParameterResolver {
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(RealKubeletExtension.class);

  private final Supplier<Optional<String>> examination;
  private final boolean required;
  private final TestbedProgress progress;

  public RealKubeletExtension() {
    this(RealKubelet::unavailable, ClusterExtension.isRequired(), TestbedProgress.stderr());
  }

  RealKubeletExtension(
      Supplier<Optional<String>> examination, boolean required, TestbedProgress progress) {
    this.examination = examination;
    this.required = required;
    this.progress = progress;
  }

  /** Kept, so that the machine is checked once and the reason is reported once for all tests. */
  private record Finding(Optional<String> unavailable) {}

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Finding finding =
        context
            .getRoot()
            .getStore(STORE)
            .computeIfAbsent(Finding.class, key -> examine(), Finding.class);
    return finding
        .unavailable()
        .map(ConditionEvaluationResult::disabled)
        .orElseGet(() -> ConditionEvaluationResult.enabled("containers can run here"));
  }

  private Finding examine() {
    Optional<String> reason = examination.get();
    reason.ifPresent(
        line -> {
          if (required) {
            throw new TestbedUnavailable(line);
          }
          progress.report("tests with real containers are skipped: " + line);
        });
    return new Finding(reason);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RealKubelet.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    String name =
        "kubelet-" + context.getRequiredTestClass().getSimpleName().toLowerCase(Locale.ROOT);
    return classLevel(context)
        .getStore(STORE)
        .computeIfAbsent(
            RealKubelet.class,
            key -> RealKubelet.start(ClusterExtension.controlPlane(context), name, progress),
            RealKubelet.class);
  }

  /** JUnit closes the values in this store with the outermost test class. */
  private static ExtensionContext classLevel(ExtensionContext context) {
    ExtensionContext outermost = context;
    Optional<ExtensionContext> parent = context.getParent();
    while (parent.flatMap(ExtensionContext::getTestClass).isPresent()) {
      outermost = parent.orElseThrow();
      parent = outermost.getParent();
    }
    return outermost;
  }
}
