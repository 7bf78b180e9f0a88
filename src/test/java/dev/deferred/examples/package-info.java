/**
 * The delayed-message systems that people build on RabbitMQ, each as a client that knows only the broker: its exchanges, queues
 * and headers. Nothing here uses a class of the service but to have it run.
 */
package dev.deferred.examples;
