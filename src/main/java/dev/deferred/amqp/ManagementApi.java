package dev.deferred.amqp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.Address;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.StreamSupport;

/** The broker's management API, which knows what AMQP does not tell. All calls block. */
final class ManagementApi {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String COLUMNS = "name,arguments,policy,operator_policy,effective_policy_definition";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final BrokerSettings settings;
    private final int port;

    /** The API on this port of the broker's nodes, with the same user; over TLS when AMQP is. */
    ManagementApi(BrokerSettings settings, int port) {
        this.settings = settings;
        this.port = port;
    }

    /**
     * The queues of our virtual host, each with the policy that is in effect, as the first node that answers tells them.
     *
     * @throws IOException when no node does, saying why the last did not
     */
    List<QueuePolicy> queues() throws IOException, InterruptedException {
        HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
        IOException last = new IOException("no address");
        for (Address address : settings.addresses()) {
            try {
                return queues(client, address);
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private List<QueuePolicy> queues(HttpClient client, Address address) throws IOException, InterruptedException {
        URI uri = uri(address.getHost());
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(LIMIT)
                .header("Authorization", "Basic " + credentials())
                .header("Accept", "application/json")
                .build();
        HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException("status " + response.statusCode() + " from " + uri.getAuthority() + " for the user \""
                    + settings.username() + "\", who needs the tag \"management\"");
        }
        JsonNode queues = JSON.readTree(response.body());
        return StreamSupport.stream(queues.spliterator(), false)
                .map(QueuePolicy::of)
                .toList();
    }

    private URI uri(String host) {
        String virtualHost = URLEncoder.encode(settings.virtualHost(), StandardCharsets.UTF_8)
                .replace("+", "%20");
        String bracketed = host.contains(":") ? '[' + host + ']' : host;
        return URI.create((settings.ssl() ? "https://" : "http://") + bracketed + ':' + port + "/api/queues/"
                + virtualHost + "?columns=" + COLUMNS);
    }

    private String credentials() {
        return Base64.getEncoder()
                .encodeToString((settings.username() + ':' + settings.password()).getBytes(StandardCharsets.UTF_8));
    }
}
