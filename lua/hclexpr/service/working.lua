local d = {}
function d.work() return nil end
function d.pending() return false end
return d
