/** The HTTP door: schedule a task, look at the tiers, at what is parked, and replay it. Every refusal is a problem (RFC 9457) that says what to do. */
package dev.deferred.http;
