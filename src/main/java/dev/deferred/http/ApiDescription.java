package dev.deferred.http;

import jakarta.ws.rs.core.Application;
import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.ExampleObject;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** What the API's description says of the whole: the form of problems, and the answers that paths share. */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Deferred",
                        version = "0.1.0",
                        description = "Runs tasks later, on a plain RabbitMQ. Every refusal is application/problem+json"
                                + " (RFC 9457) and says what to do.",
                        license = @License(name = "Apache-2.0")),
        components =
                @Components(
                        responses = {
                            @APIResponse(
                                    name = "BadRequest",
                                    description = "The request breaks a rule; `field` names the field at fault",
                                    content =
                                            @Content(
                                                    mediaType = ApiDescription.PROBLEM,
                                                    schema = @Schema(implementation = ApiDescription.Problem.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "no unit",
                                                                    value =
                                                                            """
                                                    {"type":"about:blank","status":400,"title":"Bad Request","detail":"delay must be a string with a unit, such as \\"250ms\\", \\"30s\\", \\"1h30m\\" or \\"PT30M\\"; a bare number does not say its unit","field":"delay"}"""))),
                            @APIResponse(
                                    name = "NotFound",
                                    description = "There is no such thing, or no record of it",
                                    content =
                                            @Content(
                                                    mediaType = ApiDescription.PROBLEM,
                                                    schema = @Schema(implementation = ApiDescription.Problem.class))),
                            @APIResponse(
                                    name = "NotAcceptable",
                                    description = "The caller does not take JSON",
                                    content =
                                            @Content(
                                                    mediaType = ApiDescription.PROBLEM,
                                                    schema = @Schema(implementation = ApiDescription.Problem.class))),
                            @APIResponse(
                                    name = "TooSlow",
                                    description = "The body did not arrive within 30 s",
                                    content =
                                            @Content(
                                                    mediaType = ApiDescription.PROBLEM,
                                                    schema = @Schema(implementation = ApiDescription.Problem.class))),
                            @APIResponse(
                                    name = "Conflict",
                                    description = "It is too late for that",
                                    content =
                                            @Content(
                                                    mediaType = ApiDescription.PROBLEM,
                                                    schema = @Schema(implementation = ApiDescription.Problem.class))),
                            @APIResponse(
                                    name = "TooMany",
                                    description = "There is no room for more now",
                                    content =
                                            @Content(
                                                    mediaType = ApiDescription.PROBLEM,
                                                    schema = @Schema(implementation = ApiDescription.Problem.class))),
                            @APIResponse(
                                    name = "TooLarge",
                                    description =
                                            "The payload is larger than `deferred.max-payload`, or the body than that and 16 KiB",
                                    content =
                                            @Content(
                                                    mediaType = ApiDescription.PROBLEM,
                                                    schema = @Schema(implementation = ApiDescription.Problem.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "payload",
                                                                    value =
                                                                            """
                                                    {"type":"about:blank","status":413,"title":"Request Entity Too Large","detail":"payload has 262145 bytes; the limit deferred.max-payload is 262144 bytes; store large content elsewhere and send a reference","field":"payload"}"""))),
                            @APIResponse(
                                    name = "UnsupportedMediaType",
                                    description = "The body is not said to be plain application/json in UTF-8",
                                    content =
                                            @Content(
                                                    mediaType = ApiDescription.PROBLEM,
                                                    schema = @Schema(implementation = ApiDescription.Problem.class))),
                            @APIResponse(
                                    name = "ServiceFailed",
                                    description = "The service failed; its log says how",
                                    content =
                                            @Content(
                                                    mediaType = ApiDescription.PROBLEM,
                                                    schema = @Schema(implementation = ApiDescription.Problem.class))),
                            @APIResponse(
                                    name = "BrokerAway",
                                    description = "The broker does not answer",
                                    headers =
                                            @Header(
                                                    name = "Retry-After",
                                                    description = "Seconds",
                                                    schema = @Schema(type = SchemaType.INTEGER)),
                                    content =
                                            @Content(
                                                    mediaType = ApiDescription.PROBLEM,
                                                    schema = @Schema(implementation = ApiDescription.Problem.class))),
                            @APIResponse(
                                    name = "NotScheduled",
                                    description =
                                            "The broker did not confirm the task; `reason` says what is known of it. Only with"
                                                    + " `outcome-unknown` may it run all the same",
                                    headers =
                                            @Header(
                                                    name = "Retry-After",
                                                    description = "Seconds",
                                                    schema = @Schema(type = SchemaType.INTEGER)),
                                    content =
                                            @Content(
                                                    mediaType = ApiDescription.PROBLEM,
                                                    schema = @Schema(implementation = ApiDescription.Problem.class),
                                                    examples =
                                                            @ExampleObject(
                                                                    name = "broker away",
                                                                    value =
                                                                            """
                                                    {"type":"about:blank","status":503,"title":"Service Unavailable","detail":"the broker can't be reached; the task was not sent. Repeat the request when /q/health/ready says that it is back","reason":"broker-away","id":"01a22ebe-c1c3-7f76-ba46-994fa6df8da5"}""")))
                        }))
public class ApiDescription extends Application {
    /** The media type of problems. */
    static final String PROBLEM = "application/problem+json";

    /** The form of a problem; it is written by {@link Problems}. */
    @Schema(name = "Problem", description = "What is wrong, and what to do (RFC 9457)")
    record Problem(
            @Schema(examples = "about:blank", required = true) String type,
            @Schema(examples = "400", required = true) int status,
            @Schema(examples = "Bad Request", required = true) String title,
            @Schema(description = "What is wrong and what to do, in words", required = true) String detail,
            @Schema(description = "The field of the request at fault", examples = "delay") String field,
            @Schema(
                            description = "Why the broker does not hold the task, as one of a closed set",
                            enumeration = {
                                "invalid",
                                "broker-away",
                                "blocked",
                                "refused",
                                "overloaded",
                                "outcome-unknown",
                                "unroutable"
                            })
                    String reason,
            @Schema(description = "The task's id, when it has one already") String id) {}

    /** The form of a request; it is read by {@link TaskRequestReader}. */
    @Schema(
            name = "NewTask",
            description = "Exactly one of delay and at; no other fields, each at most once",
            additionalProperties = Schema.False.class)
    record NewTask(
            @Schema(
                            description =
                                    "Which handler it is for: letters, digits, '_' or '-', in words joined by single dots",
                            pattern = "^" + dev.deferred.core.TaskType.PATTERN + "$",
                            maxLength = dev.deferred.core.TaskType.MAX_LENGTH,
                            examples = "order-timeout",
                            required = true)
                    String type,
            @Schema(
                            description =
                                    "How long to wait, with units (250ms, 30s, 1h30m, 7d) or in ISO-8601 (PT30M): 0s to"
                                            + " deferred.max-delay",
                            examples = "30m")
                    String delay,
            @Schema(
                            description =
                                    "When to run: an ISO-8601 instant with Z or an offset; at once, and marked late, when it is past",
                            format = "date-time",
                            examples = "2026-12-01T10:00:00Z")
                    String at,
            @Schema(
                            description =
                                    "Any JSON, nested up to 1000 deep, up to deferred.max-payload bytes. Passed on byte for byte; no"
                                            + " bytes when absent")
                    Object payload,
            @Schema(description = "Where the task goes when it is due; without it, to all tasks, by its type")
                    NewDestination destination) {}

    /** The form of a destination. */
    @Schema(
            name = "Destination",
            description = "An exchange and a routing key of at most 255 bytes each",
            additionalProperties = Schema.False.class)
    record NewDestination(
            @Schema(
                            description =
                                    "An exchange that deferred.destinations allows, amq.default for the default exchange; without it, the exchange of all tasks",
                            examples = "orders")
                    String exchange,
            @Schema(description = "Any routing key; without it, the type", examples = "order.closed")
                    String routingKey) {}
}
