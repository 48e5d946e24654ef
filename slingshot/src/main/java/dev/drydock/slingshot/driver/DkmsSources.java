package dev.drydock.slingshot.driver;

import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.slingshot.driver.decide.ArchiveFormat;
import dev.drydock.slingshot.driver.decide.DkmsDecision;
import dev.drydock.slingshot.driver.decide.DkmsPackage;
import dev.drydock.slingshot.driver.decide.DriverRepository;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.driver.decide.FailureReason;
import dev.drydock.slingshot.node.HostFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** The sources of DKMS packages below {@code /usr/src}: fetched, completed, and put in place. */
final class DkmsSources {
  /** In the folder of a package: the revision that it was made from. */
  private static final String MARKER = ".cxi-driver-revision";

  private static final String CONF = "dkms.conf";
  private static final String TEMPLATE = "dkms.conf.in";

  private final AgentFolders folders;
  private final SourceDownload download;
  private final HostTools tools;

  DkmsSources(AgentFolders folders, SourceDownload download, HostTools tools) {
    this.folders = folders;
    this.download = download;
    this.tools = tools;
  }

  /** The package of a repository, if its sources were fetched before. */
  Optional<DkmsPackage> known(DriverTarget target, DriverRepository repository) {
    return HostFile.text(record(target, repository))
        .map(text -> text.split("/", 2))
        .filter(parts -> parts.length == 2)
        .map(parts -> new DkmsPackage(parts[0], parts[1]))
        .filter(DkmsPackage::isValid);
  }

  /** What a package is called may be known only from its sources. */
  private Path record(DriverTarget target, DriverRepository repository) {
    return folders.state().resolve("packages").resolve(target.revision() + "." + repository.key());
  }

  Path folder(DkmsPackage dkmsPackage) {
    return folders.roots().sources().resolve(dkmsPackage.sourceFolder());
  }

  DkmsDecision.Sources state(DkmsPackage dkmsPackage, DriverTarget target) {
    Path folder = folder(dkmsPackage);
    if (!Files.isRegularFile(folder.resolve(CONF))) {
      return Files.exists(folder) ? DkmsDecision.Sources.OTHER : DkmsDecision.Sources.MISSING;
    }
    return HostFile.text(folder.resolve(MARKER)).filter(target.revision()::equals).isPresent()
        ? DkmsDecision.Sources.READY
        : DkmsDecision.Sources.OTHER;
  }

  /** Fetches the sources of one repository and makes them a package of DKMS, if it is one. */
  DkmsPackage fetch(DriverTarget target, DriverRepository repository) throws IOException {
    Path sources = unpacked(target, repository);
    complete(sources, target, repository);
    DkmsPackage dkmsPackage = configure(sources, target, repository);
    Files.writeString(sources.resolve(MARKER), target.revision());
    Path folder = folder(dkmsPackage);
    DurableFiles.deleteTree(folder);
    Files.move(sources, folder, StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.write(record(target, repository), dkmsPackage.toString());
    DurableFiles.deleteTree(folders.work());
    return dkmsPackage;
  }

  private Path unpacked(DriverTarget target, DriverRepository repository) throws IOException {
    DurableFiles.deleteTree(folders.work());
    Files.createDirectories(folders.work());
    Path folder = folders.work().resolve(repository.key());
    DriverRepository.Location location =
        target.usesRepositories()
            ? repository.location(target)
            : new DriverRepository.Location.Archive(Objects.requireNonNull(target.archive()));
    switch (location) {
      case DriverRepository.Location.Archive(String url) -> {
        ArchiveFormat format =
            ArchiveFormat.of(url)
                .orElseThrow(
                    () ->
                        new InstallFailure(
                            FailureReason.ArchiveRefused, ArchiveFormat.unsupported(url)));
        Path archive = folders.work().resolve("archive");
        download.fetch(url, archive);
        return SourceArchive.unpack(archive, format, folder);
      }
      case DriverRepository.Location.Clone(String url, String ref) -> {
        clone(url, ref, AgentFolders.hostWork(repository.key()));
        return folder;
      }
    }
  }

  private void clone(String url, String ref, String hostFolder) {
    HostTools.Result result =
        tools.run(
            HostTools.LONG,
            List.of(
                "git", "clone", "--quiet", "--depth=1", "--branch=" + ref, "--", url, hostFolder));
    if (!result.succeeded()) {
      throw new InstallFailure(
          FailureReason.DownloadFailed,
          "git clone of %s at %s: %s".formatted(url, ref, result.lastLine()));
    }
  }

  /** What a build of the repository expects to find, beside what is in it. */
  private static void complete(Path sources, DriverTarget target, DriverRepository repository)
      throws IOException {
    if (repository != DriverRepository.SL_DRIVER) {
      return;
    }
    Path settings = sources.resolve("config.mak");
    Path given =
        sources.resolve(
            "common/configs/config.mak." + target.platform().name().toLowerCase(Locale.ROOT));
    if (Files.isRegularFile(given) && !Files.exists(settings)) {
      Files.copy(given, settings);
    }
    // otherwise its build would install hooks for git
    Path done = sources.resolve(".setup_done");
    if (!Files.exists(done)) {
      Files.createFile(done);
    }
  }

  private static DkmsPackage configure(
      Path sources, DriverTarget target, DriverRepository repository) throws IOException {
    Path conf = sources.resolve(CONF);
    Path template = sources.resolve(TEMPLATE);
    String name = repository.dkmsPackage().orElse("cassini-headers");
    String version = target.usesRepositories() ? DriverRepository.version(target) : own(target);
    DkmsPackage wanted = new DkmsPackage(name, version);
    if (!wanted.isValid()) {
      throw new InstallFailure(FailureReason.ArchiveRefused, "DKMS takes no package " + wanted);
    }
    if (Files.isRegularFile(template)) {
      Files.writeString(conf, wanted.fill(platform(Files.readString(template), target)));
      return wanted;
    }
    if (Files.isRegularFile(conf)) {
      return DkmsPackage.read(Files.readString(conf))
          .orElseThrow(
              () ->
                  new InstallFailure(
                      FailureReason.ArchiveRefused,
                      "dkms.conf does not say PACKAGE_NAME and PACKAGE_VERSION as plain text"));
    }
    String generated =
        GeneratedDkmsConf.of(repository, wanted, target.platform())
            .orElseThrow(
                () ->
                    new InstallFailure(
                        FailureReason.ArchiveRefused,
                        "the sources have neither dkms.conf nor dkms.conf.in"));
    GeneratedDkmsConf.write(sources, generated);
    return wanted;
  }

  private static String own(DriverTarget target) {
    return target.version().isBlank()
        ? ArchiveFormat.version(Objects.requireNonNull(target.archive()))
        : target.version();
  }

  private static String platform(String conf, DriverTarget target) {
    return target.platform() == Platform.rosetta
        ? conf.replace("PLATFORM_CASSINI_HW=1", "PLATFORM_ROSETTA_HW=1")
        : conf;
  }
}
