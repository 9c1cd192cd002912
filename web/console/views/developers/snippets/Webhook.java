import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Webhook {
    static final byte[] KEY = Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").substring("whsec_".length()));

    public static void main(String[] args) throws Exception {
        var port = Integer.parseInt(Objects.requireNonNullElse(System.getenv("PORT"), "3000"));
        var server = HttpServer.create(new InetSocketAddress(port), 0);
        server.createContext("/", exchange -> {
            var body = exchange.getRequestBody().readAllBytes();
            var isGenuine = isGenuine(exchange, body);
            // Store the event. Ignore it if you already have its id.
            if (isGenuine) System.out.println(new String(body, "UTF-8"));
            exchange.sendResponseHeaders(isGenuine ? 204 : 401, -1);
            exchange.close();
        });
        server.start();
    }

    /** Whether Wheelhouse has signed it in the last five minutes. */
    static boolean isGenuine(HttpExchange exchange, byte[] body) {
        try {
            var headers = exchange.getRequestHeaders();
            var timestamp = headers.getFirst("webhook-timestamp");
            if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 300) return false;
            var signed = new ByteArrayOutputStream();
            signed.write((headers.getFirst("webhook-id") + "." + timestamp + ".").getBytes("UTF-8"));
            signed.write(body);
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
            var expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.toByteArray()));
            for (var one : headers.getFirst("webhook-signature").split(" "))
                if (MessageDigest.isEqual(one.getBytes("UTF-8"), expected.getBytes("UTF-8"))) return true;
            return false;
        } catch (Exception malformed) {
            return false;
        }
    }
}
