import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

public class Grant {
    public static void main(String[] args) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("https://wheel.example/api/player/increaseSpin"))
            .header("Authorization", System.getenv("WHEELHOUSE_TOKEN"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "order-4711")
            .timeout(Duration.ofSeconds(10))
            .POST(HttpRequest.BodyPublishers.ofString("""
                {"playerId":"alice","spinNumber":5}"""))
            .build();
        var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
}
