/** Deferred: runs tasks later, on a plain RabbitMQ. */
package dev.deferred;
