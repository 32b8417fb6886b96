-- Arithmetic beyond plain integers: exact, each number with its own precision. All answers are the reference's.
local hcl = require "hclexpr"
local testing = require "hclexpr.testing"

local function text(source, vars)
  return hcl.assert(hcl.assert(hcl.compile(source)):value(vars)):text()
end

local THIRD = "0." .. ("3"):rep(154) .. "5"

local ANSWERS = {
  -- few bits
  { "5", "/", "2", "2.5" }, { "21", "+", "2.5", "23.5" }, { "2.5", "-", "2.5", "0" }, { "-7.5", "+", "7", "-0.5" },
  { "1.5", "*", "0.25", "0.375" }, { "1.5", "*", "-2", "-3" }, { "7.5", "/", "2", "3.75" }, { "7.5", "/", "-2.5", "-3" },
  { "0", "*", "-0.5", "-0" }, { "7.25", "%", "2", "1.25" },
  { "4611686018427387903", "/", "4611686018427387904", "0.99999999999999999978315956550289911319850943982601165771484375" },
  -- to and from two limbs
  { "9223372036854775807", "+", "0.5", "9223372036854775807.5" },
  { "0.5", "-", "9223372036854775808.5", "-9223372036854775808" },
  { "9223372036854775807", "*", "2", "18446744073709551614" },
  { "-9223372036854775807", "-", "2", "-9223372036854775809" },
  { "-9223372036854775808", "/", "-1", "9223372036854775808" },
  { "7", "*", "12345678901234567890", "86419752308641975230" },
  { "86419752308641975230", "+", "1", "86419752308641975231" },
  { "18446744073709551616", "-", "18446744073709551615", "1" },
  { "340282366920938463463374607431768211455", "+", "1", "340282366920938463463374607431768211456" },
  { "340282366920938463463374607431768211455", "+", "2", "340282366920938463463374607431768211457" },
  { "18446744073709551615", "*", "18446744073709551615", "340282366920938463426481119284349108225" },
  { "1e25", "+", "0.0000152587890625", "10000000000000000000000000.0000152587890625" },
  -- rounded
  { "0.1", "+", "0.2", "0.3" }, { "0.1", "*", "3", "0.3" }, { "1", "/", "3", THIRD },
}

describe("arithmetic", function()
  for _, case in ipairs(ANSWERS) do
    local a, op, b, answer = case[1], case[2], case[3], case[4]
    local source = a .. " " .. op .. " " .. b
    it("is exact: " .. source, function()
      local vars = { a = hcl.value(a, "number"), b = hcl.value(b, "number") }
      assert.equal(answer, text("a " .. op .. " b", vars))
      assert.equal(answer, text("a " .. op .. " " .. b, vars))
      assert.equal(answer, text(source))
      assert.equal(answer, text("(" .. a .. " + 0) " .. op .. " (" .. b .. ")"))
    end)
  end

  it("keeps the precision of its operands", function()
    assert.equal("0.75", text "pow(2, -1) + pow(2, -2)")
    assert.equal("0.16666666666666666667", text "pow(2, -1) / length([1, 2, 3])")
    assert.equal("0.16666666666666666667", text "(pow(2, -1) * length([1])) / pow(3, 1)")
    assert.equal("0.16666666666666666667", text "length([1]) / length([1, 2]) / length([1, 2, 3])")
    assert.equal("4611686018427388000", text "pow(2, 52) * pow(2, 10) + pow(2, 0)")
    assert.equal("6148914694099828736.2",
      text '(parseint("4294967297", 10) * parseint("4294967297", 10)) / length([1, 2, 3])')
  end)

  it("is done once if all operands are literal", function()
    local code = testing.code(hcl.assert(hcl.compile "24 * 60 * (2 + 58) % 7"))
    assert.is_nil(code:find "MUL" or code:find "ADD" or code:find "MOD")
    assert.truthy(testing.code(hcl.assert(hcl.compile "hours * (60 * 60)")):find "MUL_K")
    assert.equal(3600, hcl.eval("hours * (60 * 60)", { hours = 1 }))
  end)

  it("is left to the evaluation if it has no answer, or its operands must be converted", function()
    local none, err = hcl.eval "1 + 0 / 0"
    assert.is_nil(none)
    assert.equal(4, err[1].range.start.byte)
    assert.equal(9, err[1].range.stop.byte)
    assert.equal(16, hcl.eval '"5" * 3 + 1')
    assert.equal("operator.operand", select(2, hcl.eval "1 + true")[1].code)
    assert.is_true(hcl.eval "try(0 / 0, 1) == 1")
  end)
end)
