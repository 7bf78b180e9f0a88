/**
 * Tasks, tiers and the arithmetic of delay. Pure Java: the time and the source of randomness are arguments, nothing here
 * knows of RabbitMQ or Quarkus.
 */
package dev.deferred.core;
