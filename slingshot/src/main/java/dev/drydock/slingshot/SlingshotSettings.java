package dev.drydock.slingshot;

import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingKind;
import java.util.List;

/** The settings of this part. */
public final class SlingshotSettings {
  /** What happens to images of the system that the API comes from. */
  public enum OriginalImage {
    REPLACE,
    KEEP
  }

  public static final Setting<String> IMAGE =
      Setting.of(
          "slingshot.image",
          SettingKind.text("IMAGE", (text, _) -> text),
          "drydock.local/drydock:latest",
          "The image of what runs on nodes, unless a CXIDriver names another.");

  public static final Setting<String> SIDECAR_IMAGE =
      Setting.of(
              "slingshot.sidecarImage",
              SettingKind.text("IMAGE", (text, _) -> text),
              "",
              "The image of retry handlers that are injected into pods; it needs sh, flock and"
                  + " cxi_rh. Default: slingshot.image, which runs the cxi_rh of the node.")
          .alsoFlag("--retry-handler-image") // as the original operator has, and its variable
          .alsoVariable("RETRY_HANDLER_IMAGE");

  public static final Setting<OriginalImage> ORIGINAL_IMAGES =
      Setting.of(
          "slingshot.originalImages",
          SettingKind.word(OriginalImage.REPLACE),
          "replace",
          "Images below ghcr.io/sielicki/slingshot-operator/ have other command lines: replace them"
              + " by slingshot.image, or keep them and start them with the arguments they know.");

  public static final Setting<String> WEBHOOK_CONFIGURATION =
      Setting.of(
          "slingshot.webhookConfiguration",
          SettingKind.NAME,
          "slingshot-operator-cxidriver",
          "The ValidatingWebhookConfiguration for CXIDrivers. Its CA is also used for the injection"
              + " of sidecars.");

  static final List<Setting<?>> ALL =
      List.of(IMAGE, SIDECAR_IMAGE, ORIGINAL_IMAGES, WEBHOOK_CONFIGURATION);

  private SlingshotSettings() {}
}
