-- Reads archives of packages: zip and gzipped tar. They are read in place; nothing in them is written to disk or run. Expansion ends at the
-- limits in MOST, whatever sizes the archive states.
local core = require "hclexpr.core"

local archives = {}

-- The largest sizes in bytes: of an archive inside another, of all files in an archive, of one file, and of a piece that is read in one
-- call.
local MOST = { inner = 2 ^ 28, all = 2 ^ 31, file = 2 ^ 24, piece = 2 ^ 16 }
local MOST_ENTRIES = 2 ^ 16

local function number(bytes, at, n)
  local sum = 0
  for i = at + n - 1, at, -1 do sum = sum * 256 + (bytes:byte(i) or 0) end
  return sum
end

-- Reads exactly n bytes; returns nil if the file is shorter. Checks the size first, so that it doesn't allocate memory for missing bytes.
local function read_at(file, at, n)
  if at + n > file:seek "end" or not file:seek("set", at) then return nil end
  local bytes = file:read(n)
  return bytes and #bytes == n and bytes or nil
end

-- zip

local END_SIZE, LONGEST_COMMENT = 22, 65535
local HEAD, LOCAL_HEAD = "PK\1\2", "PK\3\4"

-- Finds the list of entries in a zip file. Returns its offset, its length, the number of entries, and the file's size; nil if the file
-- lacks one.
local function find_list(file)
  local size = file:seek "end"
  local tail = read_at(file, math.max(0, size - END_SIZE - LONGEST_COMMENT), math.min(size, END_SIZE + LONGEST_COMMENT))
  local at, found = 1, nil
  repeat
    at = tail and tail:find("PK\5\6", at, true)
    if at then found, at = at, at + 1 end
  until not at
  if not found or #tail - found + 1 < END_SIZE then return nil end
  return number(tail, found + 16, 4), number(tail, found + 12, 4), number(tail, found + 10, 2), size
end

--- Lists the files in a zip archive; returns nil and the mistake if the archive is damaged.
---@param file file*
---@return { name: string, method: integer, crc: string, packed: integer, size: integer, at: integer }[]?
---@return string?
function archives.zip(file)
  local from, length, count, whole = find_list(file)
  if not from or from + length > whole then return nil, "it is not a whole zip archive" end
  local list, entries, at = length > 0 and read_at(file, from, length) or "", {}, 1
  for i = 1, count do
    if list:sub(at, at + 3) ~= HEAD then return nil, "its list of files is damaged" end
    local name, extra, comment = number(list, at + 28, 2), number(list, at + 30, 2), number(list, at + 32, 2)
    entries[i] = { name = list:sub(at + 46, at + 45 + name), method = number(list, at + 10, 2), crc = list:sub(at + 16, at + 19),
                   packed = number(list, at + 20, 4), size = number(list, at + 24, 4), at = number(list, at + 42, 4) }
    at = at + 46 + name + extra + comment
  end
  return entries
end

-- The gzip header that is put before deflated bytes; with it, and a trailer, zlib checks their length and checksum.
local GZIP_HEAD = "\31\139\8\0\0\0\0\0\0\255"

local function little_endian(n)
  local bytes = {}
  for i = 1, 4 do
    bytes[i] = string.char(n % 256)
    n = math.floor(n / 256)
  end
  return table.concat(bytes)
end

-- Joins all results of a function from core.gunzip, up to `most` bytes.
local function all_of(next_bytes, most)
  local pieces, size = {}, 0
  while true do
    local piece, why = next_bytes(MOST.piece)
    if not piece then return nil, why end
    if piece == "" then return table.concat(pieces) end
    size = size + #piece
    if size > most then return nil, ("it expands to more than %.0f bytes"):format(most) end
    pieces[#pieces + 1] = piece
  end
end

--- Reads a file in a zip archive; returns nil and the reason if that fails.
---@param file file*
---@param entry table one that archives.zip returned
---@return string?
---@return string?
function archives.unzip(file, entry)
  local head = read_at(file, entry.at, 30)
  if not head or head:sub(1, 4) ~= LOCAL_HEAD then return nil, "it is damaged" end
  if entry.packed > MOST.inner or entry.size > MOST.inner then return nil, ("it has more than %.0f bytes"):format(MOST.inner) end
  local packed = read_at(file, entry.at + 30 + number(head, 27, 2) + number(head, 29, 2), entry.packed)
  if not packed then return nil, "it ends too early" end
  if entry.method == 0 then return packed end
  if entry.method ~= 8 then return nil, "it is compressed in a way that is not supported" end
  local next_bytes, why = core.gunzip(GZIP_HEAD .. packed .. entry.crc .. little_endian(entry.size))
  if not next_bytes then return nil, why end
  return all_of(next_bytes, MOST.inner)
end

-- tar

local BLOCK = 512

-- A Stream reads and skips bytes of a tar archive.
local Stream = {}
Stream.__index = Stream

-- Reads exactly n bytes; returns nil and the reason, which is "" at the end of the stream.
function Stream:take(n)
  local pieces, left = {}, n
  while left > 0 do
    local piece, why = self.next_bytes(math.min(left, MOST.piece))
    if not piece or piece == "" then return nil, why or left == n and "" or "it ends too early" end
    left, pieces[#pieces + 1] = left - #piece, piece
    self.read = self.read + #piece
    if self.read > MOST.all then return nil, ("its files have more than %.0f bytes"):format(MOST.all) end
  end
  return table.concat(pieces)
end

function Stream:skip(n)
  while n > 0 do
    local piece, why = self:take(math.min(n, MOST.piece))
    if not piece then return nil, why end
    n = n - #piece
  end
  return true
end

local function text_field(head, at, n) return (head:sub(at, at + n - 1):match "^[^%z]*") end

-- Types of entries that describe the next entry, with functions that read its name from them.
local extended = {
  x = function(text) return text:match "\n?%d+ path=([^\n]*)\n" end,
  L = function(text) return text:match "^[^%z]*" end,
}

local function name_of(head)
  local prefix = head:sub(258, 262) == "ustar" and text_field(head, 346, 155) or ""
  return (prefix ~= "" and prefix .. "/" or "") .. text_field(head, 1, 100)
end

--- Calls found(name, text) for each file in a gzipped tar archive for which wanted(name) is true. Returns nil and the reason if the archive
--- is wrong or found returns a reason.
---@param bytes string
---@param wanted fun(name: string): boolean
---@param found fun(name: string, text: string): true?, string?
---@return true?
---@return string?
function archives.tgz(bytes, wanted, found)
  local next_bytes, why = core.gunzip(bytes)
  if not next_bytes then return nil, why end
  local stream, long = setmetatable({ next_bytes = next_bytes, read = 0 }, Stream), nil
  for _ = 1, MOST_ENTRIES do
    local head
    head, why = stream:take(BLOCK)
    if not head then return why == "" or nil, why end
    if head:find "^%z+$" then return true end
    local size, type = tonumber(text_field(head, 125, 12):match "^%s*([0-7]+)%s*$" or "", 8), head:sub(157, 157)
    if not size then return nil, "it is not a tar archive" end
    local name, more = long or name_of(head), extended[type]
    local is_wanted = more or (type == "0" or type == "\0") and wanted(name)
    if is_wanted and size > MOST.file then return nil, ("%s in it has more than %.0f bytes"):format(name, MOST.file) end
    local text
    if is_wanted then text, why = stream:take(size) else text, why = stream:skip(size) end
    if size == 0 then text = "" end
    if text then why = select(2, stream:skip(-size % BLOCK)) end
    if not text or why then return nil, why ~= "" and why or "it ends too early" end
    long = more and more(text) or nil
    if is_wanted and not more then
      local fine
      fine, why = found(name, text)
      if not fine then return nil, why end
    end
  end
  return nil, ("it has more than %d files"):format(MOST_ENTRIES)
end

return archives
