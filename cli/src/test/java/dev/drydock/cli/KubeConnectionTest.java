package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.fabric8.kubernetes.client.Config;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubeConnectionTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("config");
  }

  @AfterEach
  void forgetTheFiles() {
    System.clearProperty(Config.KUBERNETES_KUBECONFIG_FILE);
  }

  @Test
  void theCurrentContextIsUsed() throws IOException {
    Kubeconfigs.write(file, "one", "two");

    try (KubeConnection connection = open(null)) {
      assertThat(connection.server()).isEqualTo("https://one.invalid:6443/");
      assertThat(connection.context()).contains("one");
      assertThat(connection.client().getNamespace()).isEqualTo("default");
      assertThat(connection.namespaceFlag()).isNull();
    }
  }

  @Test
  void anotherContextCanBeAskedFor() throws IOException {
    Kubeconfigs.write(file, "one", "two");

    try (KubeConnection connection = open("two")) {
      assertThat(connection.server()).isEqualTo("https://two.invalid:6443/");
    }
  }

  @Test
  void theNamespaceIsTheFlagsThenTheContexts() throws IOException {
    write(
        """
        kind: Config
        current-context: a
        contexts: [{name: a, context: {cluster: c, namespace: theirs}}]
        clusters: [{name: c, cluster: {server: 'https://c.invalid'}}]
        """);

    try (KubeConnection connection = open(null)) {
      assertThat(connection.client().getNamespace()).isEqualTo("theirs");
    }
    try (KubeConnection connection = KubeConnection.open(file.toString(), null, "mine")) {
      assertThat(connection.client().getNamespace()).isEqualTo("mine");
      assertThat(connection.namespaceFlag()).isEqualTo("mine");
    }
  }

  @Test
  void kindMayBeLeftOutAsKubectlAllows() throws IOException {
    Kubeconfigs.write(file, "one");
    write(Files.readString(file).replace("kind: Config\n", ""));

    try (KubeConnection connection = open(null)) {
      assertThat(connection.context()).contains("one");
    }
  }

  @Test
  void brokenYamlIsToldWithItsLine() throws IOException {
    write("kind: Config\ncontexts:\n  - name: [unclosed\nclusters: []\n");

    assertFails(null, "kubeconfig " + file + ": not valid YAML at line 4: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "just words", "[a, b]", "kind: Pod", "\u0000\u0001binary"})
  void somethingElseThanAKubeconfigIsRefused(String content) throws IOException {
    write(content);

    assertFails(null, "kubeconfig " + file + ": not ");
  }

  @Test
  void aMissingFileIsNamed() {
    assertFails(null, "kubeconfig " + file + ": no such file");
  }

  @Test
  void aFolderIsNotAFile() throws IOException {
    Files.createDirectory(file);

    assertFails(null, "kubeconfig " + file + ": ");
  }

  @Test
  void anUnreadableFileIsNamed() throws IOException {
    Kubeconfigs.write(file, "one");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(file), "this user may read everything");

    assertFails(null, "kubeconfig " + file + ": permission denied");
  }

  @Test
  void aContextThatIsNotThereIsAnsweredWithThoseThatAre() throws IOException {
    Kubeconfigs.write(file, "one", "two");

    assertFails(
        "three", "kubeconfig " + file + ": context \"three\" does not exist; it has: one, two");
  }

  @Test
  void withoutACurrentContextOneMustBeGiven() throws IOException {
    Kubeconfigs.write(file, "one", "two");
    write(Files.readString(file).replace("current-context: one\n", ""));

    assertFails(
        null, "kubeconfig " + file + ": no current context; pass --context, one of: one, two");
  }

  @Test
  void aFileWithoutContextsNamesNoCluster() throws IOException {
    write("kind: Config\ncurrent-context: a\n");

    assertFails(null, "kubeconfig " + file + ": it has no contexts");
  }

  @Test
  void aContextWhoseClusterIsNotThereNeverMeansAnotherCluster() throws IOException {
    write("current-context: a\ncontexts: [{name: a, context: {cluster: gone}}]\n");

    assertFails(null, "kubeconfig " + file + ": there is no server for cluster \"gone\"");
  }

  @Test
  void aContextWhoseUserIsNotThereIsRefused() throws IOException {
    Kubeconfigs.write(file, "one");
    write(Files.readString(file).replace("user: me}", "user: gone}"));

    assertFails(null, "kubeconfig " + file + ": user \"gone\" does not exist");
  }

  @Test
  void credentialsThatCannotBeReadAreAnErrorOfTheKubeconfig() throws IOException {
    write(
        """
        kind: Config
        current-context: a
        contexts: [{name: a, context: {cluster: c, user: u}}]
        clusters: [{name: c, cluster: {server: 'https://c.invalid'}}]
        users: [{name: u, user: {client-certificate: /nowhere.crt, client-key: /nowhere.key}}]
        """);

    assertFails(null, "kubeconfig");
  }

  @Test
  void severalFilesAreMerged() throws IOException {
    Path first =
        write("current-context: b\ncontexts: [{name: b, context: {cluster: two, user: me}}]\n");
    Path second = Kubeconfigs.write(folder.resolve("second"), "two");
    discover(first + File.pathSeparator + second + File.pathSeparator + folder.resolve("missing"));

    try (KubeConnection connection = KubeConnection.open(null, null, null)) {
      assertThat(connection.server()).isEqualTo("https://two.invalid:6443/");
      assertThat(connection.context()).contains("b");
    }
  }

  @Test
  void oneBrokenFileOfSeveralIsNamed() throws IOException {
    Path first = Kubeconfigs.write(folder.resolve("first"), "one");
    write("a: [");
    discover(first + File.pathSeparator + file);

    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> KubeConnection.open(null, null, null))
        .withMessageStartingWith("kubeconfig " + file + ": not valid YAML");
  }

  @Test
  void ifNoneOfTheNamedFilesExistsThatIsSaid() {
    discover(folder.resolve("a") + File.pathSeparator + folder.resolve("b"));

    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> KubeConnection.open(null, null, null))
        .withMessage(
            "kubeconfig " + folder.resolve("a") + ", " + folder.resolve("b") + ": no such file");
  }

  /** The client library reads this property like the environment variable of the same name. */
  private static void discover(String files) {
    System.setProperty(Config.KUBERNETES_KUBECONFIG_FILE, files);
  }

  private Path write(String content) throws IOException {
    return Files.writeString(file, content);
  }

  private KubeConnection open(@Nullable String context) {
    return KubeConnection.open(file.toString(), context, null);
  }

  private void assertFails(@Nullable String context, String message) {
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> open(context))
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FAILED))
        .withMessageStartingWith(message)
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
  }
}
