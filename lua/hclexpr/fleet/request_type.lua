-- The type of the name `request` in rules (lua/resty/hclexpr/request.lua), for code that checks rules.
return [[object({
  method = string, scheme = string, host = string, port = number, path = string, raw_path = string, id = string, time = string,
  client = object({ ip = string, port = number }),
  query = map(string), headers = map(string), cookies = map(string), query_all = map(list(string)), headers_all = map(list(string)),
  body = string, response = object({ status = number, headers = map(string) }),
})]]
