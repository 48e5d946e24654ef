package dev.drydock.app.operator;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Connections to servers on the loopback whoever they say they are. */
final class TestTls {
  private TestTls() {}

  static X509Certificate certificate(int port) throws IOException, GeneralSecurityException {
    try (SSLSocket socket =
        (SSLSocket) trustingAll().getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  /** Whether a server talks in this version. */
  static boolean speaks(int port, String protocol) throws IOException, GeneralSecurityException {
    try (SSLSocket socket =
        (SSLSocket) trustingAll().getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setEnabledProtocols(new String[] {protocol});
      socket.startHandshake();
      return true;
    } catch (SSLException refused) {
      return false;
    }
  }

  static SSLContext trustingAll() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, null);
    return context;
  }

  private static final class TrustAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
