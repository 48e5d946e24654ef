package dev.drydock.testbed;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The flags of each component: as in production, but small, fast and on loopback only. */
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
        // the data is removed with the cluster, so syncing to disk is pointless
        "--unsafe-no-fsync");
  }

  List<String> apiServer(int port, int etcdPort) {
    return List.of(
        "--bind-address=" + LOOPBACK,
        "--secure-port=" + port,
        // may not be loopback; it need not exist, because no endpoints are published for it
        "--advertise-address=192.0.2.1",
        "--endpoint-reconciler-type=none",
        "--etcd-servers=" + url(etcdPort),
        "--etcd-cafile=" + credentials.certificate("etcd-ca"),
        "--etcd-certfile=" + credentials.certificate("etcd-client"),
        "--etcd-keyfile=" + credentials.key("etcd-client"),
        "--tls-cert-file=" + credentials.certificate("apiserver"),
        "--tls-private-key-file=" + credentials.key("apiserver"),
        "--client-ca-file=" + credentials.certificate("ca"),
        // node names are not in DNS
        "--kubelet-preferred-address-types=InternalIP",
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
        "--service-cluster-ip-range=" + new ServiceNetwork(port).subnet(),
        // webhooks of Services are called at their pods, because nothing forwards Services here
        "--enable-aggregator-routing=true",
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
        // their defaults of 20 and 50 requests per second would limit every drain
        "--kube-api-qps=300",
        "--kube-api-burst=600",
        // there is one instance of each; waiting for a Lease would only delay the start
        "--leader-elect=false");
  }

  static List<String> concat(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}
