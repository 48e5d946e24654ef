package dev.drydock.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * The user's cache of built programs: one folder per build recipe, verified by checksums at each
 * use. Several processes may use it at once; one builds and the others wait.
 */
final class ProgramCache {
  // a file lock belongs to the whole process, so its threads need another lock
  private static final ReentrantLock ONE_THREAD = new ReentrantLock();
  private static final String CHECKSUMS = "SHA256SUMS";
  private static final long NEEDED_BYTES = 1L << 30;

  private final Environment environment;
  private final KubernetesBuild build;
  private final TestbedProgress progress;
  private final Path root;
  private final Path folder;

  ProgramCache(Environment environment, KubernetesBuild build, TestbedProgress progress) {
    this.environment = environment;
    this.build = build;
    this.progress = progress;
    this.root = environment.cacheFolder().resolve("drydock").resolve("kubernetes");
    this.folder = root.resolve(build.key());
  }

  KubernetesPrograms obtain() {
    try {
      Optional<KubernetesPrograms> cached = intact();
      if (cached.isPresent()) {
        return cached.get();
      }
      Files.createDirectories(root);
      return locked();
    } catch (IOException e) {
      throw new TestbedException("cannot use the cache %s: %s".formatted(folder, e), e);
    }
  }

  private KubernetesPrograms locked() throws IOException {
    String waiting = "another build of Kubernetes is running; waiting for it to finish";
    if (!ONE_THREAD.tryLock()) {
      progress.report(waiting);
      ONE_THREAD.lock();
    }
    try (FileChannel channel =
        FileChannel.open(
            root.resolve(build.key() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE)) {
      // closing the channel releases the lock
      if (channel.tryLock() == null) {
        progress.report(waiting);
        channel.lock();
      }
      return buildUnlessDone();
    } finally {
      ONE_THREAD.unlock();
    }
  }

  private KubernetesPrograms buildUnlessDone() throws IOException {
    Optional<KubernetesPrograms> builtMeanwhile = intact();
    if (builtMeanwhile.isPresent()) {
      return builtMeanwhile.get();
    }
    if (Files.exists(folder)) {
      progress.report("the programs in %s are damaged; building them again".formatted(folder));
    }
    deleteLeftovers();
    if (Files.getFileStore(root).getUsableSpace() < NEEDED_BYTES) {
      throw new TestbedException(
          "less than 1 GiB free in %s: make room, or set XDG_CACHE_HOME to another disk"
              .formatted(root));
    }
    Path fresh = Files.createTempDirectory(root, leftoverPrefix());
    try {
      String go = build.into(fresh, environment, progress);
      Files.writeString(fresh.resolve(CHECKSUMS), checksums(fresh));
      if (Files.exists(folder)) {
        Files.move(folder, Files.createTempDirectory(root, leftoverPrefix()).resolve("damaged"));
      }
      Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
      return KubernetesPrograms.in(folder, "built with %s (%s)".formatted(go, folder));
    } finally {
      FileTrees.delete(fresh);
      deleteLeftovers();
    }
  }

  /** Removes the remains of killed builds; called only while holding the lock. */
  private void deleteLeftovers() throws IOException {
    try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(root, leftoverPrefix() + "*")) {
      for (Path leftover : leftovers) {
        FileTrees.delete(leftover);
      }
    }
  }

  private String leftoverPrefix() {
    return ".building-" + build.key() + "-";
  }

  private Optional<KubernetesPrograms> intact() throws IOException {
    try {
      boolean equal = Files.readString(folder.resolve(CHECKSUMS)).equals(checksums(folder));
      return equal
          ? Optional.of(KubernetesPrograms.in(folder, "cache (" + folder + ")"))
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** In the format of sha256sum, so that people can verify it. */
  private static String checksums(Path folder) throws IOException {
    try {
      return KubernetesPrograms.NAMES.parallelStream()
          .map(name -> checksum(folder.resolve(name)) + "  " + name + "\n")
          .collect(Collectors.joining());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static String checksum(Path file) {
    MessageDigest digest = KubernetesBuild.sha256();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        digest.update(buffer, 0, count);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
