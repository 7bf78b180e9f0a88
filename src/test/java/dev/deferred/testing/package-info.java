/** Instruments for tests: brokers, faults, what was promised and what came of it. */
package dev.deferred.testing;
