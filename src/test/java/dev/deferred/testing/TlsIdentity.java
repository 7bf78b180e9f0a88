package dev.deferred.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A key with a certificate for one host name, signed by itself and valid for two days, made with the JDK's keytool. */
public final class TlsIdentity {
    /** The password of {@link #store}. */
    public static final String STORE_PASSWORD = "changeit";

    private static final String ALIAS = "broker";

    private final Path store;
    private final int port = FreePorts.next();

    private TlsIdentity(Path store) {
        this.store = store;
    }

    /** Makes one in the folder. */
    public static TlsIdentity of(String hostName, Path folder) {
        Path store = folder.resolve(hostName + ".p12");
        Command.run(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "RSA",
                "-validity",
                "2",
                "-dname",
                "CN=" + hostName,
                "-ext",
                "san=dns:" + hostName,
                "-storetype",
                "PKCS12",
                "-storepass",
                STORE_PASSWORD,
                "-keystore",
                store.toString());
        return new TlsIdentity(store);
    }

    /** A PKCS12 file with the key and the certificate, which clients can use as their trust store. */
    public Path store() {
        return store;
    }

    /** The port on which a node with {@link #advancedConfig} listens for TLS, beside its own. */
    public int port() {
        return port;
    }

    /** Whether anything listens on {@link #port}. */
    public boolean isListenedFor() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    /** Makes a node listen with this identity. Key and certificate are in it, so that the node needs no file of ours. */
    public String advancedConfig() {
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, STORE_PASSWORD.toCharArray());
            return """
                    [{rabbit, [{dead_letter_worker_publisher_confirm_timeout, 5000},
                      {ssl_listeners, [{"127.0.0.1", %d}]},
                      {ssl_options, [{verify, verify_none}, {cert, %s}, {key, {'PrivateKeyInfo', %s}}]}]}]."""
                    .formatted(
                            port,
                            term(keys.getCertificate(ALIAS).getEncoded()),
                            term(keys.getKey(ALIAS, STORE_PASSWORD.toCharArray())
                                    .getEncoded()));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(store + " can't be read", e);
        }
    }

    /** The bytes as an Erlang binary. */
    private static String term(byte[] bytes) {
        return IntStream.range(0, bytes.length)
                .mapToObj(at -> String.valueOf(Byte.toUnsignedInt(bytes[at])))
                .collect(Collectors.joining(",", "<<", ">>"));
    }
}
