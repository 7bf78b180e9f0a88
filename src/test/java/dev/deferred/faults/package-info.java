/** The packaged service on a real broker, with everything that a network, a broker and a process can do to it. */
package dev.deferred.faults;
