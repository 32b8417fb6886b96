-- Internal functions of the core for specs; only builds with HX_TEST have them.
return require "hclexpr.core".testing or error("this build of hclexpr has no testing functions", 2)
