package dev.drydock.testbed;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The flags of each component: a cluster as people run it, but small, fast and on loopback only.
 */
final class ComponentFlags {
  static final String ETCD = "etcd";
  static final String API_SERVER = "kube-apiserver";
  static final String CONTROLLER_MANAGER = "kube-controller-manager";
  static final String SCHEDULER = "kube-scheduler";
  static final List<String> COMPONENTS = List.of(ETCD, API_SERVER, CONTROLLER_MANAGER, SCHEDULER);

  private static final String LOOPBACK = "127.0.0.1";

  private final ClusterCredentials credentials;

  ComponentFlags(ClusterCredentials credentials) {
    this.credentials = credentials;
  }

  static String url(int port) {
    return "https://" + LOOPBACK + ":" + port;
  }

  List<String> etcd(Path data, int clientPort, int peerPort) {
    return List.of(
        "--name=testbed",
        "--data-dir=" + data,
        "--listen-client-urls=" + url(clientPort),
        "--advertise-client-urls=" + url(clientPort),
        "--listen-peer-urls=" + url(peerPort),
        "--initial-advertise-peer-urls=" + url(peerPort),
        "--initial-cluster=testbed=" + url(peerPort),
        "--cert-file=" + credentials.certificate("etcd"),
        "--key-file=" + credentials.key("etcd"),
        "--trusted-ca-file=" + credentials.certificate("etcd-ca"),
        "--client-cert-auth",
        "--peer-cert-file=" + credentials.certificate("etcd"),
        "--peer-key-file=" + credentials.key("etcd"),
        "--peer-trusted-ca-file=" + credentials.certificate("etcd-ca"),
        "--peer-client-cert-auth",
        // the data dies with the cluster: nothing is won by waiting for the disk
        "--unsafe-no-fsync");
  }

  List<String> apiServer(int port, int etcdPort) {
    return List.of(
        "--bind-address=" + LOOPBACK,
        "--secure-port=" + port,
        // may not be loopback; with no endpoints published nobody uses it, so it need not exist
        "--advertise-address=192.0.2.1",
        "--endpoint-reconciler-type=none",
        "--etcd-servers=" + url(etcdPort),
        "--etcd-cafile=" + credentials.certificate("etcd-ca"),
        "--etcd-certfile=" + credentials.certificate("etcd-client"),
        "--etcd-keyfile=" + credentials.key("etcd-client"),
        "--tls-cert-file=" + credentials.certificate("apiserver"),
        "--tls-private-key-file=" + credentials.key("apiserver"),
        "--client-ca-file=" + credentials.certificate("ca"),
        "--kubelet-client-certificate=" + credentials.certificate("kubelet-client"),
        "--kubelet-client-key=" + credentials.key("kubelet-client"),
        "--requestheader-client-ca-file=" + credentials.certificate("front-proxy-ca"),
        "--requestheader-allowed-names=front-proxy-client",
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        "--proxy-client-cert-file=" + credentials.certificate("front-proxy-client"),
        "--proxy-client-key-file=" + credentials.key("front-proxy-client"),
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-account-key-file=" + credentials.publicKey("service-account"),
        "--service-account-signing-key-file=" + credentials.key("service-account"),
        "--service-cluster-ip-range=10.96.0.0/16",
        "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction",
        "--allow-privileged=true");
  }

  List<String> controllerManager(int port, Path kubeconfig) {
    return concat(
        secureServing("controller-manager", port, kubeconfig),
        List.of(
            "--use-service-account-credentials",
            "--service-account-private-key-file=" + credentials.key("service-account"),
            "--root-ca-file=" + credentials.certificate("ca"),
            "--cluster-signing-cert-file=" + credentials.certificate("ca"),
            "--cluster-signing-key-file=" + credentials.key("ca"),
            "--concurrent-deployment-syncs=20",
            "--concurrent-replicaset-syncs=20",
            "--concurrent-statefulset-syncs=20",
            "--concurrent-daemonset-syncs=10",
            "--concurrent-job-syncs=20",
            "--concurrent-namespace-syncs=20"));
  }

  List<String> scheduler(int port, Path kubeconfig) {
    return secureServing("scheduler", port, kubeconfig);
  }

  private List<String> secureServing(String name, int port, Path kubeconfig) {
    return List.of(
        "--bind-address=" + LOOPBACK,
        "--secure-port=" + port,
        "--tls-cert-file=" + credentials.certificate(name),
        "--tls-private-key-file=" + credentials.key(name),
        "--kubeconfig=" + kubeconfig,
        "--authentication-kubeconfig=" + kubeconfig,
        "--authorization-kubeconfig=" + kubeconfig,
        // with their defaults of 20 and 50 requests a second they would set the pace of every drain
        "--kube-api-qps=300",
        "--kube-api-burst=600",
        // there is one of each; waiting for a lease would only delay the start
        "--leader-elect=false");
  }

  static List<String> concat(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}
