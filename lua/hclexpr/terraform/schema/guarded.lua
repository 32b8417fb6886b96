-- Guards attributes whose names suggest a secret, because an imported schema doesn't say what is sensitive. Their values carry the mark
-- "guarded" (typed_values.lua), which only hides them wherever values are shown. Since it is unknown whether they are sensitive, no rule
-- about sensitive values applies to them, and issensitive() of one is unknown.
local guarded = {}

-- Words and pairs of words that suggest a secret if a name contains them. A name that ends in a word of ABOUT isn't a secret itself.
local WORDS = { password = true, passwd = true, passphrase = true, secret = true, secrets = true, token = true, tokens = true,
                credential = true, credentials = true, private_key = true, access_key = true, secret_key = true, api_key = true,
                auth_key = true, account_key = true, connection_string = true, wo = true }
local ABOUT = { arn = true, arns = true, name = true, names = true, version = true, versions = true, type = true, types = true, ttl = true,
                policy = true, length = true, status = true, region = true, count = true }
-- The attributes that hold the secret in types whose names contain such words.
local CONTENTS = { data = true, binary_data = true, string_data = true, value = true, values = true, content = true }

local function is_word_in(name)
  local before
  for word in name:gmatch "[^_]+" do
    if WORDS[word] or before and WORDS[before .. "_" .. word] then return true end
    before = word
  end
  return false
end

local function may_hold_text(type)
  if type == "number" or type == "bool" then return false end
  if type == nil or type == "string" or type == "dynamic" then return true end
  if type[1] == "object" or type[1] == "tuple" then return true end
  return may_hold_text(type[2])
end

local function is_secret(name, of_type)
  if not is_word_in(name) and not (CONTENTS[name] and is_word_in(of_type)) then return false end
  return not ABOUT[name:match "[^_]*$"] and not name:find "key_id$"
end

local function add(block, of_type)
  for name, row in pairs(block.attributes or {}) do
    if is_secret(name, of_type) and may_hold_text(row.type) then row.guarded = true end
    if row.nested_type then add(row.nested_type, "") end
  end
  for _, row in pairs(block.block_types or {}) do add(row.block, "") end
end

--- Sets `guarded` in the rows of a block that may contain secrets.
---@param block table its rows are changed
---@param of_type string
function guarded.add(block, of_type) add(block, of_type) end

return guarded
