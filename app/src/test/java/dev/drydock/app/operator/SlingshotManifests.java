package dev.drydock.app.operator;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes what installs the operator for CXI drivers alone, from one source: CRDs, rights and
 * policies from {@code deploy}, everything else from the templates of the chart.
 */
final class SlingshotManifests {
  static final Path ROOT = Path.of("..");
  static final Path CHART = ROOT.resolve("charts/slingshot-operator");
  static final String NAME = "slingshot-operator";
  static final String NAMESPACE = "slingshot-system";

  /** Those of the drivers, and those that roll-outs stand on. */
  private static final List<String> CRDS =
      List.of(
          "cxidevices.cxi.hpe.com",
          "cxidrivers.cxi.hpe.com",
          "drainrequests.nvsentinel.nvidia.com",
          "maintenancecampaigns.drydock.dev",
          "maintenanceclasses.drydock.dev",
          "notifymaintenances.ngn2.nvidia.com");

  private static final Pattern TEMPLATE =
      Pattern.compile("# Source: slingshot-operator/templates/(\\S+)\n");

  private SlingshotManifests() {}

  /** The parts of the chart that are copied from {@code deploy}, by path below the root. */
  static Map<String, String> chartFiles() throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (String crd : CRDS) {
      String file = crd + "-v1.yaml";
      files.put("charts/slingshot-operator/crds/" + file, deployed("crds/" + file));
    }
    String below = "charts/slingshot-operator/files/";
    files.put(below + "cxi-agent.yaml", deployed("cxi-agent.yaml"));
    files.put(
        below + "maintenance-policy.yaml",
        deployed("policy.yaml")
            + "---\n"
            + deployed("class-policy.yaml")
            + "---\n"
            + deployed("evidence-policy.yaml")
            + "---\n"
            + deployed("cxi-driver-policy.yaml"));
    files.put(
        below + "cluster-rules.yaml",
        rules("parts/drain.yaml", "ClusterRole", "drydock-operator-drain")
            + rules("parts/maintenance.yaml", "ClusterRole", "drydock-operator-maintenance")
            + rules("parts/slingshot.yaml", "ClusterRole", "drydock-operator-slingshot"));
    files.put(
        below + "namespace-rules.yaml",
        rules("parts/base.yaml", "Role", "drydock-operator")
            + rules("parts/slingshot.yaml", "Role", "drydock-operator-slingshot"));
    return files;
  }

  private static String deployed(String file) throws IOException {
    return Files.readString(ROOT.resolve("deploy").resolve(file)).strip() + "\n";
  }

  private static String rules(String file, String kind, String name) throws IOException {
    String role =
        Arrays.stream(deployed(file).split("(?m)^---\n", -1))
            .filter(each -> each.contains("\nkind: " + kind + "\n"))
            .filter(each -> each.contains("\n  name: " + name + "\n"))
            .findFirst()
            .orElseThrow();
    return role.substring(role.indexOf("\nrules:\n") + "\nrules:\n".length())
        .replaceAll("(?m)^ {2}", "");
  }

  static TemplateCommand template() {
    return new Helm(CHART)
        .template()
        .withName(NAME)
        .withNamespace(NAMESPACE)
        .withKubeVersion("v1.36.0")
        .skipCrds();
  }

  /** What the chart gives by its defaults, for those who use no Helm, by path below the root. */
  static Map<String, String> rendered() throws IOException {
    Map<String, String> files = new TreeMap<>();
    List<String> crds = new ArrayList<>();
    for (String crd : CRDS) {
      String file = crd + "-v1.yaml";
      files.put("config/crd/bases/" + file, deployed("crds/" + file));
      crds.add("bases/" + file);
    }
    files.put("config/crd/kustomization.yaml", kustomization(crds));
    files.put(
        "config/manager/namespace.yaml",
        """
        # Driver agents and retry handlers load kernel modules and open devices.
        apiVersion: v1
        kind: Namespace
        metadata:
          name: slingshot-system
          labels:
            pod-security.kubernetes.io/enforce: privileged
        """);
    Map<String, String> texts =
        byTemplate(
            template()
                .set("networkPolicy.enabled", true)
                .set("metrics.serviceMonitor.enabled", true)
                .call());
    Map<String, List<String>> folders = new LinkedHashMap<>();
    folders.put("manager", List.of("namespace.yaml", "deployment.yaml", "service.yaml"));
    folders.put("rbac", List.of("serviceaccount.yaml", "rbac.yaml", "roles.yaml", "policy.yaml"));
    folders.put("webhook", List.of("webhook.yaml"));
    folders.put("network-policy", List.of("networkpolicy.yaml"));
    folders.put("prometheus", List.of("servicemonitor.yaml"));
    for (Map.Entry<String, List<String>> folder : folders.entrySet()) {
      String below = "config/" + folder.getKey() + "/";
      for (String file : folder.getValue()) {
        String text = texts.get(file);
        if (text != null) {
          files.put(below + file, text);
        }
      }
      files.put(below + "kustomization.yaml", kustomization(folder.getValue()));
    }
    files.put(
        "config/default/kustomization.yaml",
        kustomization(List.of("../crd", "../manager", "../rbac", "../webhook")));
    files.put("dist/install.yaml", install(files));
    return files;
  }

  private static String install(Map<String, String> files) {
    List<String> all = new ArrayList<>();
    all.add(files.getOrDefault("config/manager/namespace.yaml", ""));
    for (String folder : List.of("crd/bases", "rbac", "manager", "webhook")) {
      files.forEach(
          (path, text) -> {
            if (path.startsWith("config/" + folder + "/")
                && !path.endsWith("/kustomization.yaml")
                && !path.endsWith("/namespace.yaml")) {
              all.add(text);
            }
          });
    }
    return "# Made from charts/slingshot-operator by: make manifests\n" + String.join("---\n", all);
  }

  private static String kustomization(List<String> resources) {
    StringBuilder text =
        new StringBuilder(
            """
            # Made from charts/slingshot-operator by: make manifests
            apiVersion: kustomize.config.k8s.io/v1beta1
            kind: Kustomization
            resources:
            """);
    resources.forEach(each -> text.append("  - ").append(each).append('\n'));
    return text.toString();
  }

  /** Helm names the template of each object. */
  private static Map<String, String> byTemplate(String output) {
    Map<String, String> texts = new TreeMap<>();
    for (String document : output.split("(?m)^---\n", -1)) {
      Matcher source = TEMPLATE.matcher(document);
      String plain =
          TEMPLATE
              .matcher(document)
              .replaceAll("")
              .replaceAll("(?m)^ +helm\\.sh/chart: .*\n", "")
              .replaceAll("(?m)^ +app\\.kubernetes\\.io/managed-by: Helm\n", "")
              .replaceAll("(?m)^ +\n", "\n")
              .strip();
      if (source.find() && plain.contains("kind: ")) {
        texts.merge(source.group(1), plain + "\n", (one, other) -> one + "---\n" + other);
      }
    }
    return texts;
  }
}
