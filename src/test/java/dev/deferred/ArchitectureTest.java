package dev.deferred;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.deferred.amqp.Decoded;
import dev.deferred.amqp.ParkReason;
import dev.deferred.amqp.ParkedMessage;
import dev.deferred.amqp.PublishFailure;
import dev.deferred.amqp.TakenOut;
import dev.deferred.amqp.Wire;
import dev.deferred.http.JsonBody;
import dev.deferred.http.Problems;
import dev.deferred.scheduling.DelayConverter;
import dev.deferred.scheduling.InvalidTask;
import dev.deferred.scheduling.Scheduled;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.ws.rs.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which package may use which. */
@AnalyzeClasses(packages = "dev.deferred", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String CORE = "dev.deferred.core..";
    private static final String AMQP = "dev.deferred.amqp..";
    private static final String SCHEDULING = "dev.deferred.scheduling..";
    private static final String WORK = "dev.deferred.work..";
    private static final String HTTP = "dev.deferred.http..";
    private static final String ORDERS = "dev.deferred.orders..";

    private static final DescribedPredicate<JavaClass> NOT_OURS = resideOutsideOfPackage("dev.deferred..");

    @ArchTest
    static final ArchRule coreIsPlainJava = classes()
            .that()
            .resideInAPackage(CORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", CORE);

    @ArchTest
    static final ArchRule amqpUsesCore = packageMayUse(AMQP, resideInAPackage(CORE));

    @ArchTest
    static final ArchRule schedulingUsesCoreAndAmqp =
            packageMayUse(SCHEDULING, resideInAPackage(CORE).or(resideInAPackage(AMQP)));

    @ArchTest
    static final ArchRule workUsesCoreSchedulingAndTheWireFormat = packageMayUse(
            WORK,
            resideInAPackage(CORE)
                    .or(resideInAPackage(SCHEDULING))
                    .or(anyOf(
                            Decoded.class,
                            Decoded.Sound.class,
                            Decoded.Odd.class,
                            ParkReason.class,
                            ParkedMessage.class,
                            Wire.class)));

    @ArchTest
    static final ArchRule httpUsesCoreSchedulingAndWork = packageMayUse(
            HTTP,
            resideInAPackage(CORE)
                    .or(resideInAPackage(SCHEDULING))
                    .or(resideInAPackage(WORK))
                    .or(anyOf(PublishFailure.class, PublishFailure.Reason.class, TakenOut.class, TakenOut.End.class)));

    /** Which methods a path has is read from its class, even in a native image. */
    @ArchTest
    static void resourcesAreRegisteredForReflection(JavaClasses all) {
        Set<String> registered = all.stream()
                .filter(type -> type.isAnnotatedWith(RegisterForReflection.class))
                .flatMap(type -> {
                    Class<?>[] targets = type.getAnnotationOfType(RegisterForReflection.class)
                            .targets();
                    return targets.length == 0
                            ? Stream.of(type.getName())
                            : Arrays.stream(targets).map(Class::getName);
                })
                .collect(Collectors.toSet());
        assertThat(all.stream().filter(type -> type.isAnnotatedWith(Path.class)).map(JavaClass::getName))
                .isNotEmpty()
                .isSubsetOf(registered);
    }

    @ArchTest
    static final ArchRule ordersUseWhatAnyServiceWould = packageMayUse(
            ORDERS,
            resideInAPackage(CORE)
                    .or(resideInAPackage(WORK))
                    .or(anyOf(
                            Scheduled.class, InvalidTask.class, DelayConverter.class, JsonBody.class, Problems.class)));

    @ArchTest
    static final ArchRule nothingUsesTheExample = classes()
            .that()
            .resideInAPackage(ORDERS)
            .should()
            .onlyHaveDependentClassesThat()
            .resideInAPackage(ORDERS);

    @ArchTest
    static final ArchRule packagesFormNoCycle =
            slices().matching("dev.deferred.(*)..").should().beFreeOfCycles();

    private static ArchRule packageMayUse(String name, DescribedPredicate<JavaClass> others) {
        return classes()
                .that()
                .resideInAPackage(name)
                .should()
                .onlyDependOnClassesThat(NOT_OURS.or(resideInAPackage(name)).or(others));
    }

    private static DescribedPredicate<JavaClass> anyOf(Class<?>... some) {
        Set<Class<?>> allowed = Set.of(some);
        return describe("any of " + allowed, used -> allowed.stream().anyMatch(used::isEquivalentTo));
    }
}
