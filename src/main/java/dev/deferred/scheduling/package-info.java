/** Tasks wait and come due here: planning, the tier channels, the gate, and the one way a message is settled. */
package dev.deferred.scheduling;
