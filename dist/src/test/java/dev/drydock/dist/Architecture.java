package dev.drydock.dist;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.drydock.serve.feature.Features;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * What may know what, below {@code root}. The root is a parameter so that every rule can be shown
 * to fail on a small tree that breaks it.
 */
final class Architecture {
  /**
   * The modules of all features but drain, which the others may use. That of Slurm has processes of
   * its own and is no part of the operator.
   */
  private static final Set<String> FEATURES =
      Stream.concat(
              Stream.of("slurm"),
              Features.load().all().stream()
                  .map(feature -> feature.getClass().getPackageName().split("\\.", -1)[2]))
          .filter(module -> !module.equals("drain"))
          .collect(Collectors.toUnmodifiableSet());

  /** Packages of these modules form no cycle. */
  private static final List<String> WITHOUT_CYCLES =
      List.of("serve", "drain", "maintenance", "lifecycle", "health", "edge", "slingshot", "slurm");

  /** What is a process, and so makes its one connection. */
  private static final List<String> PROCESSES =
      List.of(
          "app.operator.Operator",
          "bench.rollout.RolloutRun",
          "serve.feature.ServerProcess",
          "simulate.VirtualCluster",
          "testkit.TestProcess");

  private final String root;

  Architecture(String root) {
    this.root = root;
  }

  Map<String, ArchRule> rules() {
    Map<String, ArchRule> rules = new TreeMap<>();
    allowed()
        .forEach((module, others) -> rules.put(module + " knows its place", knows(module, others)));
    rules.put("every module is known here", everyModuleIsKnown());
    rules.put(
        "modules form no cycle", slices().matching(root + ".(*)..").should().beFreeOfCycles());
    rules.put("decisions know values only", decisionsKnowValuesOnly());
    rules.put("decisions read no clock and start no thread", decisionsArePure());
    rules.put("nobody sleeps", noClasses().that(isOurs()).should().accessTargetWhere(sleeps()));
    rules.put("only the command line prints", onlyTheCommandLinePrints());
    rules.put(
        "nobody uses java.util.logging",
        noClasses()
            .that(isOurs())
            // which takes over what a library logs by it
            .and()
            .doNotHaveSimpleName("GrpcLog")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.logging.."));
    rules.put("loggers are private constants", loggersArePrivateConstants());
    rules.put("no simple name stands twice", noNameTwice());
    WITHOUT_CYCLES.forEach(
        module ->
            rules.put(
                "packages of " + module + " form no cycle",
                slices().matching(root + "." + module + ".(*)..").should().beFreeOfCycles()));
    rules.put("only processes connect", onlyProcessesConnect());
    rules.put("only the kit says what a bug is", onlyTheKitCatchesBugs());
    rules.put("only the kit starts threads", onlyTheKitStartsThreads());
    rules.replaceAll((name, rule) -> rule.allowEmptyShould(true).as(name));
    return rules;
  }

  /** Each module with those it may use besides itself. */
  private static Map<String, Set<String>> allowed() {
    Map<String, Set<String>> allowed = new TreeMap<>();
    allowed.put("cli", Set.of("contracts"));
    allowed.put("contracts", Set.of());
    allowed.put("kube", Set.of());
    allowed.put("serve", Set.of("contracts", "kube", "cli"));
    allowed.put("drain", Set.of("contracts", "kube", "serve", "cli"));
    FEATURES.forEach(
        feature -> allowed.put(feature, Set.of("contracts", "kube", "serve", "drain", "cli")));
    allowed.put("sim", Set.of("contracts", "kube"));
    allowed.put("testbed", Set.of("contracts", "cli", "kube", "sim"));
    allowed.put("testkit", Set.of("contracts", "kube", "sim", "testbed"));
    // features are found, not known
    allowed.put("app", Set.of("cli", "contracts", "kube", "serve", "drain"));
    List<String> product = new ArrayList<>(FEATURES);
    product.addAll(List.of("cli", "contracts", "kube", "serve", "drain"));
    allowed.put("simulate", Set.of("contracts", "kube", "drain", "cli", "sim"));
    allowed.put("training", Set.of("app", "drain"));
    product.addAll(List.of("app", "sim"));
    allowed.put("demo", Set.copyOf(product));
    return allowed;
  }

  private ArchRule knows(String module, Set<String> others) {
    String[] mine =
        Stream.concat(Stream.of(module), others.stream())
            .map(this::packages)
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage(packages(module))
        .should()
        .dependOnClassesThat(isOurs().and(not(resideInAnyPackage(mine))));
  }

  private ArchRule everyModuleIsKnown() {
    String[] known =
        Stream.concat(allowed().keySet().stream(), Stream.of("bench", "dist"))
            .map(this::packages)
            .toArray(String[]::new);
    return classes().that(isOurs()).should().resideInAnyPackage(known);
  }

  private ArchRule decisionsKnowValuesOnly() {
    return classes()
        .that(isOurs())
        .and()
        .resideInAPackage("..decide..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage("java..", "org.jspecify..", packages("contracts"))
                .or(isOurs().and(resideInAPackage("..decide.."))));
  }

  private ArchRule decisionsArePure() {
    return noClasses()
        .that(isOurs())
        .and()
        .resideInAPackage("..decide..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Thread.class, Clock.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Executor.class)
        .orShould()
        .accessTargetWhere(readsTheTime());
  }

  private ArchRule onlyTheCommandLinePrints() {
    return noClasses()
        .that(isOurs())
        .and()
        // the testbed reports to whoever runs the tests, and its background process to its owner
        .resideOutsideOfPackages(packages("cli"), packages("app"), packages("testbed"))
        .should(ACCESS_STANDARD_STREAMS);
  }

  private ArchRule loggersArePrivateConstants() {
    return fields()
        .that()
        .haveRawType(Logger.class)
        .and()
        .areDeclaredInClassesThat(isOurs())
        .should()
        .bePrivate()
        .andShould()
        .beStatic()
        .andShould()
        .beFinal();
  }

  private ArchRule onlyProcessesConnect() {
    Set<String> processes =
        PROCESSES.stream().map(name -> root + "." + name).collect(Collectors.toSet());
    return noClasses()
        .that(isOurs())
        .and()
        .resideOutsideOfPackage(packages("kube"))
        .and(
            DescribedPredicate.<JavaClass>describe(
                "no process", each -> !processes.contains(each.getName())))
        .should()
        .callConstructorWhere(
            DescribedPredicate.describe(
                "of KubeHttp",
                call -> call.getTargetOwner().getName().equals(root + ".kube.KubeHttp")));
  }

  /** Otherwise another kind of bug would end what survives this one. */
  private ArchRule onlyTheKitCatchesBugs() {
    return noCodeUnits()
        .that()
        .areDeclaredInClassesThat(
            resideInAnyPackage(
                    Stream.concat(
                            FEATURES.stream(), Stream.of("kube", "serve", "drain", "maintenance"))
                        .map(this::packages)
                        .toArray(String[]::new))
                .and(
                    DescribedPredicate.<JavaClass>describe(
                        "not Bugs", each -> !each.getName().equals(root + ".kube.Bugs"))))
        .should(
            new ArchCondition<>("catch RuntimeException") {
              @Override
              public void check(JavaCodeUnit each, ConditionEvents events) {
                boolean caught =
                    each.getTryCatchBlocks().stream()
                        .flatMap(block -> block.getCaughtThrowables().stream())
                        .anyMatch(type -> type.isEquivalentTo(RuntimeException.class));
                if (caught) {
                  events.add(SimpleConditionEvent.satisfied(each, each.getFullName()));
                }
              }
            });
  }

  /**
   * What runs elsewhere is seen by no health and in no virtual time. The exceptions wait for
   * something that is no timer: servers for connections, a folder's watch for the kernel.
   */
  private ArchRule onlyTheKitStartsThreads() {
    return noClasses()
        .that(
            resideInAnyPackage(
                Stream.concat(FEATURES.stream(), Stream.of("kube", "serve", "drain", "app"))
                    .map(this::packages)
                    .toArray(String[]::new)))
        .and()
        .resideOutsideOfPackages(
            packages("kube.time"), packages("serve.web"), packages("serve.socket"))
        .should()
        .accessTargetWhere(startsThreads());
  }

  private static DescribedPredicate<JavaAccess<?>> startsThreads() {
    Set<String> ofThread =
        Set.of("<init>", "start", "startVirtualThread", "ofVirtual", "ofPlatform");
    return DescribedPredicate.describe(
        "a new thread",
        access -> {
          JavaClass owner = access.getTargetOwner();
          String name = access.getTarget().getName();
          return owner.isEquivalentTo(Executors.class)
              || (owner.isEquivalentTo(Thread.class) && ofThread.contains(name))
              || (owner.isEquivalentTo(CompletableFuture.class)
                  && name.endsWith("Async")
                  && !takesExecutor(access.getTarget()));
        });
  }

  /** Such as a TimeSource, whose threads are known. */
  private static boolean takesExecutor(AccessTarget target) {
    return target instanceof AccessTarget.CodeUnitAccessTarget method
        && method.getRawParameterTypes().stream()
            .anyMatch(type -> type.isEquivalentTo(Executor.class));
  }

  private DescribedPredicate<JavaClass> isOurs() {
    return resideInAPackage(root + "..");
  }

  private String packages(String module) {
    return root + "." + module + "..";
  }

  private static DescribedPredicate<JavaAccess<?>> sleeps() {
    return DescribedPredicate.describe(
        "Thread.sleep",
        access ->
            access.getTargetOwner().isEquivalentTo(Thread.class)
                && "sleep".equals(access.getTarget().getName()));
  }

  private static DescribedPredicate<JavaAccess<?>> readsTheTime() {
    return DescribedPredicate.describe(
        "the machine's time",
        access ->
            Set.of("now", "currentTimeMillis", "nanoTime").contains(access.getTarget().getName())
                && access.getTargetOwner().getPackageName().startsWith("java."));
  }

  /** Whoever looks for a class by its name finds one. Nested classes are found by the outer one. */
  private ArchRule noNameTwice() {
    return classes()
        .that(isOurs())
        .and()
        .areTopLevelClasses()
        .and()
        .doNotHaveSimpleName("package-info")
        .should(
            new ArchCondition<>("have a simple name of their own") {
              private final Map<String, String> firstByName = new HashMap<>();

              @Override
              public void check(JavaClass each, ConditionEvents events) {
                String first = firstByName.putIfAbsent(each.getSimpleName(), each.getName());
                if (first != null) {
                  events.add(SimpleConditionEvent.violated(each, each.getName() + " and " + first));
                }
              }
            });
  }
}
