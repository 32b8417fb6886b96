-- Returns seconds since an arbitrary moment. It is called twice for each evaluation, so it is a C function that LuaJIT's compiled code can
-- call.
return require("ffi").cast("double (*)(void)", require("hclexpr.core").clock_pointer)
