package dev.drydock.slingshot.deviceplugin;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ContainerAllocateResponse;
import dev.drydock.slingshot.deviceplugin.decide.PodFileChanges.Given;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * The file in which the kubelet keeps what it has allocated, with the plugin's answers. Its API for
 * this, PodResources, does not name the UIDs of pods.
 */
final class KubeletCheckpoint {
  static final String FILE = "kubelet_internal_checkpoint";

  private KubeletCheckpoint() {}

  /**
   * What containers were given of one resource; nothing if the kubelet has not written the file
   * yet.
   *
   * @throws IOException if the file has another format than kubelets have written so far
   */
  static List<Given> read(Path folder, String resource) throws IOException {
    JsonNode entries;
    try (InputStream in = Files.newInputStream(folder.resolve(FILE))) {
      entries = Json.read(in, Set.of("RegisteredDevices")).path("Data").path("PodDeviceEntries");
    } catch (NoSuchFileException none) {
      return List.of();
    }
    List<Given> given = new ArrayList<>();
    for (JsonNode entry : entries) {
      if (Fields.text(entry, "ResourceName").equals(resource)) {
        given.add(new Given(Fields.text(entry, "PodUID"), nics(Fields.text(entry, "AllocResp"))));
      }
    }
    return given;
  }

  private static List<String> nics(String answer) throws IOException {
    try {
      return DevicePluginService.nics(
          ContainerAllocateResponse.parseFrom(Base64.getDecoder().decode(answer)));
    } catch (IllegalArgumentException | InvalidProtocolBufferException other) {
      throw new IOException("an answer in " + FILE + " cannot be read", other);
    }
  }
}
