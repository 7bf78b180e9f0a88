package dev.deferred.http;

import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which methods a path knows, read from the resources' annotations: Quarkus refuses other methods without naming these, which a
 * 405 must (RFC 9110). A resource class is to be registered for reflection, or a native image knows none of its methods.
 */
@ApplicationScoped
@RegisterForReflection(
        targets = {TasksResource.class, TiersResource.class, ParkedResource.class},
        fields = false)
class AllowedMethods {
    private record Way(Pattern path, String method) {}

    private static final Pattern PARAMETER = Pattern.compile("\\{[^/}]*}");

    private final List<Way> ways;

    @Inject
    AllowedMethods(BeanManager beans) {
        ways = beans.getBeans(Object.class, Any.Literal.INSTANCE).stream()
                .<Class<?>>map(bean -> bean.getBeanClass())
                .filter(type -> type.isAnnotationPresent(Path.class))
                .distinct()
                .flatMap(type -> Arrays.stream(type.getMethods()).flatMap(method -> ways(type, method)))
                .toList();
    }

    private static Stream<Way> ways(Class<?> type, Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(Annotation::annotationType)
                .filter(annotation -> annotation.isAnnotationPresent(HttpMethod.class))
                .map(annotation -> annotation.getAnnotation(HttpMethod.class).value())
                .map(name -> new Way(pattern(type.getAnnotation(Path.class), method.getAnnotation(Path.class)), name));
    }

    private static Pattern pattern(Path ofClass, Path ofMethod) {
        String template = String.join("/", ofClass.value(), ofMethod == null ? "" : ofMethod.value());
        String path = Arrays.stream(template.split("/"))
                .filter(segment -> !segment.isEmpty())
                .map(segment -> PARAMETER.matcher(segment).matches() ? "[^/]+" : Pattern.quote(segment))
                .reduce("", (before, segment) -> before + "/" + segment);
        return Pattern.compile(path + "/?");
    }

    /** The methods of a path, such as {@code /tasks}, as the header {@code Allow} lists them; empty for an unknown path. */
    String of(String path) {
        String absolute = path.startsWith("/") ? path : "/" + path;
        Set<String> methods = new TreeSet<>();
        ways.stream().filter(way -> way.path().matcher(absolute).matches()).forEach(way -> methods.add(way.method()));
        if (methods.contains(HttpMethod.GET)) {
            methods.add(HttpMethod.HEAD);
        }
        if (!methods.isEmpty()) {
            methods.add(HttpMethod.OPTIONS);
        }
        return String.join(", ", methods);
    }
}
