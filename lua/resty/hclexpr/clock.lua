-- A clock for what takes microseconds: ngx.now() stands still while a request runs.
local ffi = require "ffi"

pcall(ffi.cdef, [[
  typedef struct { long seconds, nanoseconds; } hclexpr_time;
  int clock_gettime(int id, hclexpr_time *time);
]])

local MONOTONIC = 1
local C, time = ffi.C, ffi.new "hclexpr_time[1]"

--- Seconds since some moment.
---@return number
return function()
  C.clock_gettime(MONOTONIC, time)
  return tonumber(time[0].seconds) + tonumber(time[0].nanoseconds) * 1e-9
end
