package dev.drydock.slingshot.deviceplugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ContainerAllocateResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.DeviceSpec;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodFilesTest {
  private static final Eventually EVENTUALLY = Eventually.inRealTime();

  private final LoopFactory loops = new LoopFactory(TimeSource.REAL);
  private final Path kubelet;
  private final Path pods;
  private final PodFiles files;

  PodFilesTest(@TempDir Path folder) {
    kubelet = folder;
    pods = folder.resolve("run/cxi/pods");
    files = new PodFiles(loops, () -> KubeletCheckpoint.read(kubelet, "hpe.com/cxi"), pods);
  }

  @AfterEach
  void stop() {
    files.close();
  }

  /** As kubelets of today write it. */
  private void checkpoint(String... entries) throws IOException {
    Files.writeString(
        kubelet.resolve("kubelet_internal_checkpoint"),
        """
        {"Data":{"PodDeviceEntries":[%s],
         "RegisteredDevices":{"hpe.com/cxi":["shared-0","shared-1"]}},"Checksum":1}
        """
            .formatted(String.join(",", entries)));
  }

  private static String entry(String uid, String resource, String... nics) {
    ContainerAllocateResponse.Builder answer = ContainerAllocateResponse.newBuilder();
    for (String nic : nics) {
      answer.addDevices(
          DeviceSpec.newBuilder()
              .setContainerPath("/dev/" + nic)
              .setHostPath("/dev/" + nic)
              .setPermissions("rw"));
    }
    return """
    {"PodUID":"%s","ContainerName":"main","ResourceName":"%s","DeviceIDs":{"0":["shared-0"]},"AllocResp":"%s"}
    """
        .formatted(uid, resource, Base64.getEncoder().encodeToString(answer.build().toByteArray()))
        .strip();
  }

  private void awaitFile(String uid, String content) {
    EVENTUALLY.untilAsserted(() -> assertThat(pods.resolve(uid)).hasContent(content));
  }

  @Test
  void eachPodHasAFileWithItsNicsAsLongAsItHasThem() throws IOException {
    checkpoint(
        entry("uid-1", "hpe.com/cxi", "cxi1"),
        entry("uid-2", "hpe.com/cxi", "cxi0", "cxi1"),
        entry("uid-3", "example.com/gpu", "gpu0"));
    files.wake();
    awaitFile("uid-1", "cxi1");
    awaitFile("uid-2", "cxi0\ncxi1");
    assertThat(pods.resolve("uid-3")).doesNotExist();

    checkpoint(entry("uid-2", "hpe.com/cxi", "cxi0", "cxi1"));
    files.wake();
    EVENTUALLY.until(() -> Files.notExists(pods.resolve("uid-1")));
    awaitFile("uid-2", "cxi0\ncxi1");
  }

  @Test
  void whatCannotBeReadChangesNothingAndIsShown() throws IOException {
    checkpoint(entry("uid-1", "hpe.com/cxi", "cxi1"));
    files.wake();
    awaitFile("uid-1", "cxi1");

    Files.writeString(kubelet.resolve("kubelet_internal_checkpoint"), "{\"Data\":");
    files.wake();
    EVENTUALLY.untilAsserted(
        () ->
            assertThat(loops.health().degraded())
                .singleElement()
                .asString()
                .contains("cxi-pod-files", "cannot say which pods have which NICs"));
    awaitFile("uid-1", "cxi1");
  }

  @Test
  void withoutACheckpointThereAreNoFiles() throws IOException {
    assertThat(KubeletCheckpoint.read(kubelet, "hpe.com/cxi")).isEqualTo(List.of());
  }
}
