/** Due tasks are done here: the handlers that a service writes, and the worker that calls them. */
package dev.deferred.work;
