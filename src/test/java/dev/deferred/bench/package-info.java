/** What the service costs and reaches beside the bare client on the same broker: {@code script/bench}. */
package dev.deferred.bench;
