/** Handlers for a packaged service that is killed: they are built into a service of its own by the tests. */
package dev.deferred.faults.handlers;
