/**
 * An example of a service that defers its own tasks: an order that is not paid in time is closed. Nothing else depends on this
 * package; delete it when you build your own.
 */
package dev.deferred.orders;
