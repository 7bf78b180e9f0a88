/** Work for the service that is measured. */
package dev.deferred.bench.handlers;
