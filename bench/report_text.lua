-- Ratios of reading files, from the outputs of `run`.   report(OUT_DIR, rounds)
return function(out, rounds)
  local function figures(name)
    return rounds.load(out, "text-" .. name, function(line) return line:match "^([^\t]+)\t([%d.]+)" end)
  end
  local ours, go, rust = figures "hclexpr", figures "go", figures "rust"
  if not next(ours) then return end

  local function over(a, b) return a and b and b > 0 and a / b or nil end
  local function number(x) return x and ("%.1f"):format(x) or "-" end

  -- Rates are MB/s: more is better.
  local rows = {
    { "big.tf, parsed and freed", ours.parse, go["parse big.tf"], 15, rust["hcl_edit parse_body big.tf"], 4, "hcl-edit" },
    { "big.tf, formatted", ours.format, go["hclwrite.Format"], 15 },
    { "data.tfvars to Lua tables", ours.data, go["data parse+eval+native"], 10, rust["data hcl::from_str to Value"], 2, "hcl-rs" },
    { "data.json by the JSON syntax to Lua tables", ours.json, go["HCL JSON parse+eval+native"], 10 },
  }
  print "\nfiles, lua5.4: MB/s; Go has two processors"
  print(("%-46s %9s %9s %9s"):format("", "hclexpr", "Go", "Rust"))
  for _, r in ipairs(rows) do print(("%-46s %9s %9s %9s"):format(r[1], number(r[2]), number(r[3]), number(r[5]))) end
  print(("%-46s %9s"):format("cjson, data.json", number(ours.cjson)))
  local dynamic = go["dynamic block, 1,000 blocks, expand and decode"]
  print(("%-46s %9s %9s"):format("1,000 dynamic blocks, ms", number(over(ours.dynamic, 1e6)), number(over(dynamic, 1e6))))

  print "\nfiles, lua5.4: ratios"
  for _, r in ipairs(rows) do
    rounds.goal(r[1] .. ": over Go's", over(r[2], r[3]), r[4], true)
    if r[6] then rounds.goal(r[1] .. ": over " .. r[7] .. "'s", over(r[2], r[5]), r[6], true) end
  end
  rounds.goal("data.tfvars to Lua tables: over cjson's on data.json", over(ours.data, ours.cjson), 1 / 3, true)
  rounds.goal("data.json by the JSON syntax to Lua tables: over cjson's", over(ours.json, ours.cjson), 0.6, true)
  rounds.goal("1,000 dynamic blocks to Lua tables: Go's time over ours", over(dynamic, ours.dynamic), 20, true)
  rounds.goal("10,000 mistakes over 1,000: time", over(ours["errors 10000"], ours["errors 1000"]), 13)
  -- Larger than the caches: the same work waits for memory.
  print(("  %-78s %7.2f"):format("100,000 mistakes over 10,000: time", over(ours["errors 100000"], ours["errors 10000"]) or 0))
end
