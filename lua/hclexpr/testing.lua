-- Internals for specs: only in builds with HX_TEST.
return require "hclexpr.core".testing or error("this build of hclexpr has no testing functions", 2)
