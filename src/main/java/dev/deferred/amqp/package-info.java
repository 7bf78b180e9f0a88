/**
 * The broker: a SmallRye Reactive Messaging connector on the RabbitMQ Java client, the topology it declares, and how a task
 * is written as a message. Every send ends in exactly one known outcome; every acknowledgement goes to the channel that
 * delivered.
 */
package dev.deferred.amqp;
