package dev.deferred.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks tests that stop, kill or freeze a broker and so need a {@link BrokerNode} of their own. They are skipped, with
 * the reason, only where {@code RABBITMQ_HOST} names the broker to test with and no other can be started.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsBrokerNode.Condition.class)
public @interface NeedsBrokerNode {

    /** Decides whether the marked tests run. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (NamedBroker.find().isPresent() && !BrokerNode.canStart()) {
                return ConditionEvaluationResult.disabled("RABBITMQ_HOST names a broker that tests must not stop, and"
                        + " neither an installed rabbitmq-server nor a Docker engine is there to start another");
            }
            return ConditionEvaluationResult.enabled("a broker node can be started, or its absence is to be reported");
        }
    }
}
