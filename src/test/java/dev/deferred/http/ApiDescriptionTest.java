package dev.deferred.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deferred.testing.Broker;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(Broker.class)
class ApiDescriptionTest {
    private static JsonPath description() {
        return given().queryParam("format", "json").get("/q/openapi").jsonPath();
    }

    @Test
    void everyPathIsDescribed() {
        assertThat(description().<Map<String, Object>>get("paths").keySet())
                .containsExactlyInAnyOrder(
                        "/tasks",
                        "/tasks/{id}",
                        "/tiers",
                        "/parked",
                        "/parked/{id}",
                        "/parked/{id}/replay",
                        "/parked/replay",
                        "/orders",
                        "/orders/{id}",
                        "/orders/{id}/pay");
    }

    @Test
    void everyStatusOfPostTasksIsDescribed() {
        assertThat(description()
                        .<Map<String, Object>>get("paths.'/tasks'.post.responses")
                        .keySet())
                .isEqualTo(Set.of("202", "400", "406", "408", "413", "415", "500", "503"));
    }

    @Test
    void everyRefusalIsAProblem() {
        Map<String, Map<String, Object>> responses = description().get("components.responses");
        assertThat(responses).hasSizeGreaterThan(8);
        assertThat(responses).allSatisfy((name, response) -> assertThat(response.toString())
                .contains("application/problem+json={", "#/components/schemas/Problem"));
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        String text = given().queryParam("format", "json").get("/q/openapi").asString();
        JsonPath json = new JsonPath(text);
        java.util.regex.Pattern.compile("\"#/components/(\\w+)/(\\w+)\"")
                .matcher(text)
                .results()
                .forEach(it -> assertThat(json.<Object>get("components." + it.group(1) + "." + it.group(2)))
                        .as(it.group())
                        .isNotNull());
    }

    @Test
    void aTaskHasFiveFieldsAndNoOthers() {
        JsonPath json = description();
        assertThat(json.<Map<String, Object>>get("components.schemas.NewTask.properties")
                        .keySet())
                .containsExactlyInAnyOrder("type", "delay", "at", "payload", "destination");
        assertThat(json.<Boolean>get("components.schemas.NewTask.additionalProperties"))
                .isFalse();
        assertThat(json.<Map<String, Object>>get("components.schemas.TaskAccepted.properties")
                        .keySet())
                .containsExactlyInAnyOrder("id", "type", "dueAt", "scheduledAt", "via", "late");
    }

    @Test
    void theDescriptionCanBeBrowsed() {
        given().get("/q/swagger-ui/").then().statusCode(200);
        assertThat(description().getString("info.title")).isEqualTo("Deferred");
    }
}
