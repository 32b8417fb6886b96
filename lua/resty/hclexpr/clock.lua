-- Seconds since some moment. Two calls for each evaluation count, so LuaJIT is given one that its compiled code can make.
return require("ffi").cast("double (*)(void)", require("hclexpr.core").clock_pointer)
