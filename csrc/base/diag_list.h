/* diag_list.h: every diagnostic, once. Codes are stable and listed in doc/diagnostics.md.
**   HX_DIAG(id, severity, code, summary, detail)     detail: printf format, no floating point; what to do stands at its end */

/* Limits and aborts */
HX_DIAG(LIMIT_STEPS, HX_ERROR, "limit.steps", "Too many steps", "The evaluation took more steps than its limit allows. Make the expression do less, or raise limits.steps.")
HX_DIAG(LIMIT_MEMORY, HX_ERROR, "limit.memory", "Too much memory", "The evaluation needs more memory than its limit allows. Make the values smaller, or raise limits.memory.")
HX_DIAG(LIMIT_DEPTH, HX_ERROR, "limit.depth", "Nested too deeply", "This nests deeper than the limit allows. Split it up, or raise limits.depth.")
HX_DIAG(LIMIT_OUTPUT, HX_ERROR, "limit.output", "Result too large", "The result is larger than its limit allows. Make it smaller, or raise limits.output.")
HX_DIAG(LIMIT_SOURCE, HX_ERROR, "limit.source", "Source too long", "The source text is longer than its limit allows. Split it up, or raise limits.source.")
HX_DIAG(NO_MEMORY, HX_ERROR, "memory", "Out of memory", "The system has no more memory to give.")

/* Functions: details are the functions' own */
HX_DIAG(CALL_ARGUMENT, HX_ERROR, "call.argument", "Invalid argument", "%s")
HX_DIAG(CALL_FAILED, HX_ERROR, "call.failed", "Function call failed", "%s")
