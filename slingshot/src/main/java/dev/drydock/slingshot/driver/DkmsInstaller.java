package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.driver.decide.DkmsDecision;
import dev.drydock.slingshot.driver.decide.DkmsPackage;
import dev.drydock.slingshot.driver.decide.DkmsStatus;
import dev.drydock.slingshot.driver.decide.DriverRepository;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.driver.decide.FailureReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Builds a driver with the host's DKMS and puts its modules in place. Each step follows from what
 * is on the disk, and is done when the disk says so, whatever DKMS says.
 */
final class DkmsInstaller {
  private static final List<DriverRepository> ARCHIVE = List.of(DriverRepository.CXI_DRIVER);

  private final HostTools tools;
  private final DkmsTools dkms;
  private final DkmsSources sources;
  private final ModuleCache cache;
  private final ModuleFiles files;

  DkmsInstaller(AgentFolders folders, HostTools tools, SourceDownload download) {
    this.tools = tools;
    dkms = new DkmsTools(folders, tools);
    sources = new DkmsSources(folders, download, tools);
    cache = new ModuleCache(folders.cache());
    files = new ModuleFiles(folders, tools);
  }

  /** Returns when the kernel would load the modules of this driver. */
  void install(DriverTarget target, String kernel, Consumer<String> step) throws IOException {
    List<DriverRepository> repositories =
        target.usesRepositories() ? List.of(DriverRepository.values()) : ARCHIVE;
    Machine machine = new Machine(kernel, arch(), compiler(kernel));
    for (DriverRepository repository : repositories) {
      if (repository.dkmsPackage().isPresent()) {
        new PackageInstall(target, repository, machine, step).install();
      } else {
        headers(target, repository, step);
      }
      if (repository != DriverRepository.CXI_DRIVER) {
        shareHeaders(target, repository);
      }
    }
  }

  /**
   * Takes the modules of all packages of a driver out of a kernel.
   *
   * @param kernel in which others are to be found from now on
   */
  void uninstall(DriverTarget target, String kernel) {
    for (DriverRepository repository : DriverRepository.values()) {
      sources
          .known(target, repository)
          .filter(_ -> repository.dkmsPackage().isPresent())
          .ifPresent(
              each -> {
                DkmsStatus.State state = dkms.status(each).of(each, kernel);
                if (state.compareTo(DkmsStatus.State.INSTALLED) >= 0) {
                  var _ = dkms.run("uninstall", each, "-k", kernel);
                }
              });
    }
  }

  private String arch() {
    return tools.run("uname", "-m").output().strip();
  }

  private boolean hasHeaders(String kernel) {
    return tools.run("test", "-e", "/lib/modules/" + kernel + "/build/include").succeeded();
  }

  /** What DKMS builds with: the compiler of the kernel if the host has it, otherwise the host's. */
  private String compiler(String kernel) {
    HostTools.Result config =
        tools.run(
            "sed",
            "-n",
            "s/^CONFIG_CC_VERSION_TEXT=\"\\(.*\\)\"/\\1/p",
            "/lib/modules/" + kernel + "/build/.config");
    String kernels = config.succeeded() ? config.output().strip() : "";
    String program = kernels.replaceAll("\\s.*", "");
    Optional<String> own = program.matches("[a-z0-9._+-]+") ? versionOf(program) : Optional.empty();
    return kernels + "; " + own.or(() -> versionOf("gcc")).orElse("no compiler");
  }

  private Optional<String> versionOf(String program) {
    HostTools.Result result = tools.run(program, "--version");
    return result.succeeded() ? result.output().lines().findFirst() : Optional.empty();
  }

  private void headers(DriverTarget target, DriverRepository repository, Consumer<String> step)
      throws IOException {
    Optional<DkmsPackage> known = sources.known(target, repository);
    boolean ready =
        known.filter(each -> sources.state(each, target) == DkmsDecision.Sources.READY).isPresent();
    if (!ready) {
      step.accept("fetch " + repository.key());
      var _ = sources.fetch(target, repository);
    }
  }

  /** Builds of other packages look for them in {@code /usr/include}. */
  private void shareHeaders(DriverTarget target, DriverRepository repository) {
    DkmsPackage named = sources.known(target, repository).orElseThrow();
    if (Files.isDirectory(sources.folder(named).resolve("include"))) {
      String from = "/usr/src/" + named.sourceFolder() + "/include/.";
      HostTools.Result result = tools.run("cp", "-R", from, "/usr/include/");
      if (!result.succeeded()) {
        throw new InstallFailure(
            FailureReason.BuildFailed,
            "cannot copy the headers of %s: %s".formatted(repository.key(), result.lastLine()));
      }
    }
  }

  /** What modules are built for, and with what. */
  private record Machine(String kernel, String arch, String compiler) {}

  /** One package and one kernel. */
  private final class PackageInstall {
    private final DriverTarget target;
    private final DriverRepository repository;
    private final Machine machine;
    private final Consumer<String> progress;

    PackageInstall(
        DriverTarget target,
        DriverRepository repository,
        Machine machine,
        Consumer<String> progress) {
      this.target = target;
      this.repository = repository;
      this.machine = machine;
      this.progress = progress;
    }

    void install() throws IOException {
      Set<DkmsDecision.Step> done = EnumSet.noneOf(DkmsDecision.Step.class);
      Optional<DkmsPackage> named = sources.known(target, repository);
      while (true) {
        DkmsDecision.Step next = named.isEmpty() ? DkmsDecision.Step.FETCH : decide(named.get());
        if (next == DkmsDecision.Step.DONE) {
          return;
        }
        if (!done.add(next)) {
          throw stuck(next, named);
        }
        progress.accept("%s %s".formatted(next.name().toLowerCase(Locale.ROOT), label(named)));
        if (next == DkmsDecision.Step.FETCH) {
          named = Optional.of(sources.fetch(target, repository));
        } else {
          carryOut(next, named.orElseThrow());
        }
      }
    }

    private String label(Optional<DkmsPackage> named) {
      return named.map(DkmsPackage::toString).orElse(repository.key())
          + " for kernel "
          + machine.kernel();
    }

    private DkmsDecision.Step decide(DkmsPackage named) throws IOException {
      DkmsStatus.State state = dkms.status(named).of(named, machine.kernel());
      Map<String, String> built = ModuleCache.checksums(modules(named));
      Optional<Map<String, String>> known = cache.find(key(named));
      boolean verified = !built.isEmpty() && cache.knows(key(named), built);
      return new DkmsDecision(
              sources.state(named, target),
              state,
              verified
                  ? DkmsDecision.Build.VERIFIED
                  : Files.exists(folder(named))
                      ? DkmsDecision.Build.UNKNOWN
                      : DkmsDecision.Build.MISSING,
              known.isPresent(),
              hasHeaders(machine.kernel()),
              verified && files.areInPlace(machine.kernel(), built))
          .next();
    }

    private Path folder(DkmsPackage named) {
      return dkms.built(named, machine.kernel(), machine.arch());
    }

    private Path modules(DkmsPackage named) {
      return folder(named).resolve("module");
    }

    private ModuleCache.Key key(DkmsPackage named) {
      return new ModuleCache.Key(
          target.revision(),
          named.toString(),
          machine.kernel(),
          machine.arch(),
          machine.compiler());
    }

    private void carryOut(DkmsDecision.Step step, DkmsPackage named) throws IOException {
      switch (step) {
        case ADD -> expectAdded(dkms.run("add", named), named);
        case RESTORE -> {
          DurableFiles.deleteTree(folder(named));
          Files.createDirectories(folder(named));
          cache.restore(key(named), modules(named));
        }
        case BUILD -> build(named);
        case INSTALL -> {
          // DKMS takes no notice of a file that it would not replace
          var _ = dkms.run("install", named, "-k", machine.kernel());
        }
        case FORCE -> {
          var _ = dkms.run("install", named, "-k", machine.kernel(), "--force");
        }
        case NEEDS_HEADERS ->
            throw new InstallFailure(
                FailureReason.KernelHeadersMissing,
                "kernel %1$s has no headers: install the package linux-headers-%1$s (or kernel-devel)"
                    .formatted(machine.kernel()));
        case FETCH, DONE -> throw new IllegalStateException(step + " is done elsewhere");
      }
    }

    private void build(DkmsPackage named) throws IOException {
      HostTools.Result result = dkms.build(named, machine.kernel(), machine.arch());
      if (!result.succeeded() || ModuleCache.checksums(modules(named)).isEmpty()) {
        List<String> log = dkms.log(named, machine.kernel(), machine.arch());
        throw new InstallFailure(
            FailureReason.BuildFailed,
            "dkms build of %s for kernel %s failed with exit code %d: %s"
                .formatted(named, machine.kernel(), result.exitCode(), result.lastLine()),
            log.isEmpty() ? result.output().lines().toList() : log);
      }
      // if another node kept its build first, the next step takes that one
      var _ = cache.save(key(named), modules(named));
    }

    private void expectAdded(HostTools.Result result, DkmsPackage named) {
      if (dkms.status(named).of(named, machine.kernel()) == DkmsStatus.State.ABSENT) {
        throw new InstallFailure(
            FailureReason.HostToolFailed,
            "dkms add of %s failed with exit code %d: %s"
                .formatted(named, result.exitCode(), result.lastLine()),
            result.output().lines().toList());
      }
    }

    private InstallFailure stuck(DkmsDecision.Step step, Optional<DkmsPackage> named)
        throws IOException {
      List<String> why = new ArrayList<>();
      if (named.isPresent()) {
        why.addAll(
            files.differences(machine.kernel(), ModuleCache.checksums(modules(named.get()))));
      }
      return new InstallFailure(
          FailureReason.NotInPlace,
          "dkms %s of %s changed nothing%s"
              .formatted(
                  step.name().toLowerCase(Locale.ROOT),
                  label(named),
                  why.isEmpty() ? "" : ": " + String.join(", ", why)));
    }
  }
}
