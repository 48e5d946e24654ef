package dev.drydock.app.operator;

import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of an admission policy of {@code deploy}, which is installed for each of them. */
abstract class InstalledPolicy {
  final ControlPlane cluster;
  final String namespace;
  private final Path folder;
  private final String policy;

  InstalledPolicy(ControlPlane cluster, String namespace, Path folder, String policy) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.folder = folder;
    this.policy = TestOperators.DEPLOY.resolve(policy).toString();
  }

  @BeforeEach
  void installPolicy() throws IOException {
    new TestOperators(cluster, folder).define();
    cluster.kubectl("apply", "--server-side", "-f", policy).output();
  }

  @AfterEach
  void removePolicy() {
    cluster.kubectl("delete", "-f", policy).output();
  }

  /** Creates an object in the namespace of the test. */
  CommandResult create(String yaml, String... flags) throws IOException {
    Path file = Files.writeString(folder.resolve("object.yaml"), yaml);
    List<String> words = new ArrayList<>(List.of("create", "-n", namespace, "-f", file.toString()));
    words.addAll(List.of(flags));
    return cluster.kubectl(words.toArray(String[]::new));
  }
}
