local d = {}
function d.diagnostics() return {} end
return d
