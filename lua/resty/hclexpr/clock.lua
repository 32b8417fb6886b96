-- Seconds since an arbitrary moment. Two calls for each evaluation matter, so LuaJIT gets a function that its compiled code can call.
return require("ffi").cast("double (*)(void)", require("hclexpr.core").clock_pointer)
