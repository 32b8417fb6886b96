/* encode_text.c: textencodebase64, textdecodebase64: the names of encodings, Unicode's encodings, and those of one byte. Only this file
** uses iconv; without it (HX_HAS_ICONV) only Unicode's encodings are available.
** Headers: fn/encode.h, fn/encode_text.h.
** Source: the reference's encodings: those of IANA's registry that have a table at the Unicode consortium or the WHATWG. */
#include "fn/encode_text.h"

#include "base/ascii.h"
#include "fn/arguments.h"
#include "fn/encode.h"
#include "text/unicode.h"

#ifdef HX_HAS_ICONV
#include <errno.h>
#include <iconv.h>
#endif

/* The system's converters */

#ifdef HX_HAS_ICONV

/* Returns the number of bytes that a converter makes from all of p, or 0 if it can't convert p. */
static size_t convert(void *converter, const void *p, size_t n, char *out, size_t room) {
  union {
    const void *from;
    char *to;
  } in = { p };
  size_t left = room;
  iconv(converter, NULL, NULL, NULL, NULL);
  if (iconv(converter, &in.to, &n, &out, &left) == (size_t)-1 || n) return 0;
  if (iconv(converter, NULL, NULL, &out, &left) == (size_t)-1) return 0;
  return room - left;
}

#else

static size_t convert(void *converter, const void *p, size_t n, char *out, size_t room) {
  (void)converter, (void)p, (void)n, (void)out, (void)room;
  return 0;
}

#endif

int32_t hx_text_read(hx_text_job *job, int table, const unsigned char *p, uint32_t n, int32_t *second) {
  char out[16];
  int32_t cp;
  size_t len = convert(job->tables->read[table], p, n, out, sizeof out);
  if (!len) return HX_TEXT_BAD;
  uint32_t first = hx_utf8_read(out, out + len, &cp);
  if (first < len) hx_utf8_read(out + first, out + len, second);
  return cp;
}

uint32_t hx_text_write(hx_text_job *job, int table, int32_t cp, unsigned char *out) {
  char utf8[4];
  return (uint32_t)convert(job->tables->write[table], utf8, hx_utf8_write(utf8, cp), (char *)out, 8);
}

/* Unicode */

static uint32_t read_utf8(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  (void)job, (void)second;
  return hx_utf8_read((const char *)p, (const char *)p + left, cp);
}

static uint32_t write_utf8(hx_text_job *job, int32_t cp, unsigned char *out) {
  (void)job;
  return hx_utf8_write((char *)out, cp);
}

enum { BIG_ENDIAN_FIRST, LITTLE_ENDIAN_FIRST }; /* which byte of a unit comes first */

static uint32_t unit_at(const unsigned char *p, uint32_t order) {
  return order == LITTLE_ENDIAN_FIRST ? (uint32_t)p[1] << 8 | p[0] : (uint32_t)p[0] << 8 | p[1];
}

static uint32_t read_unit16(const unsigned char *p, uint32_t left, uint32_t order, int32_t *cp) {
  uint32_t unit = left < 2 ? 0xdc00 : unit_at(p, order);
  *cp = unit >= 0xd800 && unit < 0xe000 ? HX_TEXT_BAD : (int32_t)unit;
  if (unit < 0xd800 || unit >= 0xdc00 || left < 4) return 2;
  uint32_t low = unit_at(p + 2, order);
  if (low < 0xdc00 || low >= 0xe000) return 2;
  *cp = (int32_t)(0x10000 + ((unit - 0xd800) << 10 | (low - 0xdc00)));
  return 4;
}

static uint32_t put_unit(unsigned char *out, uint32_t unit, uint32_t order) {
  out[order == LITTLE_ENDIAN_FIRST] = (unsigned char)(unit >> 8);
  out[order != LITTLE_ENDIAN_FIRST] = (unsigned char)(unit & 255);
  return 2;
}

static uint32_t write_unit16(int32_t cp, uint32_t order, unsigned char *out) {
  if (cp < 0x10000) return put_unit(out, (uint32_t)cp, order);
  uint32_t above = (uint32_t)cp - 0x10000;
  put_unit(out, 0xd800 + (above >> 10), order);
  return 2 + put_unit(out + 2, 0xdc00 + (above & 0x3ff), order);
}

static uint32_t read_utf16be(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  (void)job, (void)second;
  return read_unit16(p, left, BIG_ENDIAN_FIRST, cp);
}

static uint32_t read_utf16le(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  (void)job, (void)second;
  return read_unit16(p, left, LITTLE_ENDIAN_FIRST, cp);
}

/* Reads a character of UTF-16, or the byte order mark. job->state: 0 at the beginning, then 1 + the order. Without a byte order mark the
** big end comes first. */
static uint32_t read_utf16(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  (void)second;
  if (job->state) return read_unit16(p, left, job->state - 1, cp);
  uint32_t unit = left < 2 ? 0 : unit_at(p, BIG_ENDIAN_FIRST);
  job->state = 1 + (unit == 0xfffe ? LITTLE_ENDIAN_FIRST : BIG_ENDIAN_FIRST);
  if (unit != 0xfeff && unit != 0xfffe) return read_unit16(p, left, job->state - 1, cp);
  *cp = HX_TEXT_NOTHING;
  return 2;
}

static uint32_t write_utf16be(hx_text_job *job, int32_t cp, unsigned char *out) {
  (void)job;
  return write_unit16(cp, BIG_ENDIAN_FIRST, out);
}

static uint32_t write_utf16le(hx_text_job *job, int32_t cp, unsigned char *out) {
  (void)job;
  return write_unit16(cp, LITTLE_ENDIAN_FIRST, out);
}

static uint32_t begin_utf16(hx_text_job *job, unsigned char *out) {
  (void)job;
  return put_unit(out, 0xfeff, BIG_ENDIAN_FIRST);
}

static const hx_text_family utf8 = { read_utf8, write_utf8, NULL, NULL };
static const hx_text_family utf16 = { read_utf16, write_utf16be, begin_utf16, NULL };
static const hx_text_family utf16be = { read_utf16be, write_utf16be, NULL, NULL };
static const hx_text_family utf16le = { read_utf16le, write_utf16le, NULL, NULL };

/* One byte for each character */

static uint32_t read_byte(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  (void)left, (void)second;
  *cp = job->tables->chars[*p];
  return 1;
}

static uint32_t write_byte(hx_text_job *job, int32_t cp, unsigned char *out) {
  const int32_t *chars = job->tables->chars;
  unsigned i = cp < 128 && chars[cp] == cp ? (unsigned)cp : 0;
  while (i < 256 && chars[i] != cp) i++;
  *out = (unsigned char)i;
  return i < 256;
}

static const hx_text_family one_byte = { read_byte, write_byte, NULL, NULL };

/* The control characters that the tables of ISO 8859 lack, though the system's tables may have them. */
#define NONE_8(from)                                                                                      \
  { from, HX_TEXT_BAD }, { from + 1, HX_TEXT_BAD }, { from + 2, HX_TEXT_BAD }, { from + 3, HX_TEXT_BAD }, \
      { from + 4, HX_TEXT_BAD }, { from + 5, HX_TEXT_BAD }, { from + 6, HX_TEXT_BAD }, {                  \
    from + 7, HX_TEXT_BAD                                                                                 \
  }
static const hx_text_fix no_controls[] = { NONE_8(0x80), NONE_8(0x88), NONE_8(0x90), NONE_8(0x98), { 0, 0 } };
static const hx_text_fix koi8_u_fixes[] = { { 0xae, 0x45e }, { 0xbe, 0x40e }, { 0, 0 } };
static const hx_text_fix macintosh_fixes[] = { { 0xc6, 0x2206 }, { 0xf0, 0xf8ff }, { 0, 0 } };
static const hx_text_fix windows_1255_fixes[] = { { 0xca, 0x5ba }, { 0, 0 } };

#define BYTES(names_, table_, fixes_) \
  { names_, &one_byte, { table_, NULL }, fixes_ }

static const hx_encoding encodings[] = {
  { "utf-8 csutf8", &utf8, { NULL, NULL }, NULL },
  { "utf-16 csutf16", &utf16, { NULL, NULL }, NULL },
  { "utf-16be csutf16be", &utf16be, { NULL, NULL }, NULL },
  { "utf-16le csutf16le", &utf16le, { NULL, NULL }, NULL },
  BYTES("us-ascii ansi_x3.4-1968 ansi_x3.4-1986 cp367 csascii ibm367 iso-ir-6 iso646-us iso_646.irv:1991 us", "US-ASCII", NULL),
  BYTES("iso-8859-1 iso_8859-1:1987 iso_8859-1 iso-ir-100 latin1 l1 ibm819 cp819 csisolatin1", "ISO-8859-1", NULL),
  BYTES("iso-8859-2 iso_8859-2:1987 iso_8859-2 iso-ir-101 latin2 l2 csisolatin2", "ISO-8859-2", no_controls),
  BYTES("iso-8859-3 iso_8859-3:1988 iso_8859-3 iso-ir-109 latin3 l3 csisolatin3", "ISO-8859-3", no_controls),
  BYTES("iso-8859-4 iso_8859-4:1988 iso_8859-4 iso-ir-110 latin4 l4 csisolatin4", "ISO-8859-4", no_controls),
  BYTES("iso-8859-5 iso_8859-5:1988 iso_8859-5 iso-ir-144 cyrillic csisolatincyrillic", "ISO-8859-5", no_controls),
  BYTES("iso-8859-6 iso_8859-6:1987 iso_8859-6 iso-ir-127 arabic asmo-708 ecma-114 csisolatinarabic "
        "iso-8859-6-e iso_8859-6-e csiso88596e iso-8859-6-i iso_8859-6-i csiso88596i",
        "ISO-8859-6", no_controls),
  BYTES("iso-8859-7 iso_8859-7:1987 iso_8859-7 iso-ir-126 greek greek8 ecma-118 elot_928 csisolatingreek", "ISO-8859-7",
        no_controls),
  BYTES("iso-8859-8 iso_8859-8:1988 iso_8859-8 iso-ir-138 hebrew csisolatinhebrew "
        "iso-8859-8-e iso_8859-8-e csiso88598e iso-8859-8-i iso_8859-8-i csiso88598i",
        "ISO-8859-8", no_controls),
  BYTES("iso-8859-9 iso_8859-9:1989 iso_8859-9 iso-ir-148 latin5 l5 csisolatin5", "ISO-8859-9", NULL),
  BYTES("iso-8859-10 iso_8859-10:1992 iso-ir-157 latin6 l6 csisolatin6", "ISO-8859-10", no_controls),
  BYTES("iso-8859-13 csiso885913", "ISO-8859-13", no_controls),
  BYTES("iso-8859-14 iso_8859-14:1998 iso_8859-14 iso-ir-199 iso-celtic latin8 l8 csiso885914", "ISO-8859-14", no_controls),
  BYTES("iso-8859-15 iso_8859-15 latin-9 csiso885915", "ISO-8859-15", no_controls),
  BYTES("iso-8859-16 iso_8859-16:2001 iso_8859-16 iso-ir-226 latin10 l10 csiso885916", "ISO-8859-16", no_controls),
  BYTES("windows-874 cswindows874", "CP874", NULL),
  BYTES("windows-1250 cswindows1250", "CP1250", NULL),
  BYTES("windows-1251 cswindows1251", "CP1251", NULL),
  BYTES("windows-1252 cswindows1252", "CP1252", NULL),
  BYTES("windows-1253 cswindows1253", "CP1253", NULL),
  BYTES("windows-1254 cswindows1254", "CP1254", NULL),
  BYTES("windows-1255 cswindows1255", "CP1255", windows_1255_fixes),
  BYTES("windows-1256 cswindows1256", "CP1256", NULL),
  BYTES("windows-1257 cswindows1257", "CP1257", NULL),
  BYTES("windows-1258 cswindows1258", "CP1258", NULL),
  BYTES("koi8-r cskoi8r", "KOI8-R", NULL),
  BYTES("koi8-u cskoi8u", "KOI8-U", koi8_u_fixes),
  BYTES("macintosh mac csmacintosh", "MACINTOSH", macintosh_fixes),
  BYTES("ibm037 cp037 ebcdic-cp-us ebcdic-cp-ca ebcdic-cp-wt ebcdic-cp-nl csibm037", "IBM037", NULL),
  BYTES("ibm437 cp437 437 cspc8codepage437", "IBM437", NULL),
  BYTES("ibm850 cp850 850 cspc850multilingual", "IBM850", NULL),
  BYTES("ibm852 cp852 852 cspcp852", "IBM852", NULL),
  BYTES("ibm855 cp855 855 csibm855", "IBM855", NULL),
  BYTES("ibm00858 ccsid00858 cp00858 pc-multilingual-850+euro csibm00858", "CP858", NULL),
  BYTES("ibm860 cp860 860 csibm860", "IBM860", NULL),
  BYTES("ibm862 cp862 862 cspc862latinhebrew", "IBM862", NULL),
  BYTES("ibm863 cp863 863 csibm863", "IBM863", NULL),
  BYTES("ibm865 cp865 865 csibm865", "IBM865", NULL),
  BYTES("ibm866 cp866 866 csibm866", "IBM866", NULL),
  BYTES("ibm1047 ibm-1047 csibm1047", "IBM1047", NULL),
  BYTES("ibm01140 ccsid01140 cp01140 ebcdic-us-37+euro csibm01140", "CP1140", NULL),
  { "shift_jis ms_kanji csshiftjis", &hx_text_shift_jis, { "CP932", NULL }, NULL },
  { "euc-jp extended_unix_code_packed_format_for_japanese cseucpkdfmtjapanese", &hx_text_euc_jp, { "CP932", "EUC-JP" }, NULL },
  { "iso-2022-jp csiso2022jp", &hx_text_iso_2022_jp, { "CP932", "EUC-JP" }, NULL },
  { "euc-kr cseuckr", &hx_text_euc_kr, { "UHC", NULL }, NULL },
  { "gbk cp936 ms936 windows-936 csgbk", &hx_text_gbk, { "GB18030", NULL }, hx_text_gb_fixes },
  { "gb18030 csgb18030", &hx_text_gb18030, { "GB18030", NULL }, hx_text_gb_fixes },
  { "hz-gb-2312", &hx_text_hz, { "GB18030", NULL }, hx_text_gb_fixes },
  { "big5 csbig5", &hx_text_big5, { "BIG5-HKSCS", NULL }, hx_text_big5_fixes },
};

enum { ENCODINGS = sizeof encodings / sizeof *encodings };

/* Returns true if `name` is in the list of names, ignoring case. */
static bool is_named(const char *names, hx_str name) {
  while (*names) {
    uint32_t len = (uint32_t)strcspn(names, " "), i = 0;
    while (i < len && i < name.len) {
      if (hx_lower_ascii(name.p[i]) != names[i]) break;
      i++;
    }
    if (i == len && len == name.len) return true;
    names += len + (names[len] == ' ');
  }
  return false;
}

static bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Returns the encoding of a name, ignoring case and the white space around the name. Returns NULL if the name is unknown. */
static const hx_encoding *find_encoding(hx_str name) {
  for (; name.len && is_blank(name.p[0]); name.p++) name.len--;
  while (name.len && is_blank(name.p[name.len - 1])) name.len--;
  for (size_t i = 0; i < ENCODINGS; i++)
    if (is_named(encodings[i].names, name)) return &encodings[i];
  return NULL;
}

/* The converters that an activity has opened */

#ifdef HX_HAS_ICONV

/* The steps for opening a converter, which may load one of the system's objects. */
#define OPEN_STEPS 256u
/* The steps for asking a one-byte table for all its characters. */
#define FILL_STEPS 320u

static void close_converters(hx_text_tables *tables) {
  for (int i = 0; i < 2; i++) {
    if (tables->read[i]) iconv_close(tables->read[i]);
    if (tables->write[i]) iconv_close(tables->write[i]);
    tables->read[i] = tables->write[i] = NULL;
  }
}

static void close_all(void *p) {
  for (hx_text_tables *tables = p, *end = tables + ENCODINGS; tables < end; tables++) close_converters(tables);
}

static hx_text_tables *tables_of(hx_cx *cx, const hx_encoding *encoding) {
  static const char key;
  hx_text_tables *all = hx_keep(cx, &key, ENCODINGS * sizeof *all, close_all);
  return &all[encoding - encodings];
}

/* Opens a converter unless it is open. Returns false if the system lacks it. */
static bool open_converter(hx_cx *cx, void **place, const char *to, const char *from) {
  if (*place) return true;
  hx_charge_steps(cx, OPEN_STEPS);
  iconv_t made = iconv_open(to, from);
  if (made != (iconv_t)-1) *place = made;
  else if (errno == ENOMEM) hx_abort(cx, HX_WHY_NO_MEMORY);
  return *place;
}

static bool open_table(hx_cx *cx, hx_text_tables *tables, int i, const char *name, bool reading) {
  /* Multi-byte output is decoded again to verify it; single-byte encodings search their table. */
  return open_converter(cx, &tables->read[i], "UTF-8", name) && (reading || open_converter(cx, &tables->write[i], name, "UTF-8"));
}

/* Fills tables->chars with the corrected characters of all 256 bytes, which encoding searches. Returns false if the system lacks
** the table. */
static bool fill_chars(hx_text_job *job, hx_cx *cx, hx_text_tables *tables) {
  const hx_text_fix *fix = job->encoding->fixes;
  if (!open_table(cx, tables, 0, job->encoding->tables[0], true)) return false;
  hx_charge_steps(cx, FILL_STEPS);
  int32_t *chars = hx_alloc(cx, 256 * sizeof *chars);
  for (unsigned i = 0; i < 256; i++) {
    unsigned char byte = (unsigned char)i;
    int32_t second = HX_TEXT_NOTHING;
    chars[i] = hx_text_read(job, 0, &byte, 1, &second);
  }
  for (; fix && fix->bytes; fix++) chars[fix->bytes] = fix->cp;
  tables->chars = chars;
  close_converters(tables);
  return true;
}

static bool open_tables(hx_text_job *job, hx_cx *cx, bool reading) {
  const hx_encoding *encoding = job->encoding;
  hx_text_tables *tables = tables_of(cx, encoding);
  job->tables = tables;
  if (encoding->family == &one_byte) return tables->chars || fill_chars(job, cx, tables);
  for (int i = 0; i < 2 && encoding->tables[i]; i++)
    if (!open_table(cx, tables, i, encoding->tables[i], reading)) return false;
  return true;
}

/* Opens the encoding's tables. Returns false after reporting that the system lacks them. */
static bool prepare(hx_call *call, hx_text_job *job, bool reading) {
  if (!job->encoding->tables[0] || open_tables(job, call->cx, reading)) return true;
  hx_fail(call, 1, "This system's iconv has no table for the encoding.");
  return false;
}

#else

static bool prepare(hx_call *call, hx_text_job *job, bool reading) {
  (void)reading;
  if (!job->encoding->tables[0]) return true;
  hx_fail_lacking(call, "iconv", "has the tables of encodings other than Unicode's", "libc6-dev");
  return false;
}

#endif

/* textencodebase64, textdecodebase64 */

/* Returns the steps for `len` bytes of text. A character of several bytes is looked up, and read back if it is written. */
static uint64_t cost(const hx_encoding *e, uint32_t len) {
  return e->family == &one_byte || !e->tables[0] ? len / 2 : 4ull * len;
}

/* The steps for finding an encoding by its name. */
#define BEGIN_STEPS 24u

static bool begin(hx_call *call, hx_text_job *job, const hx_val *name, uint32_t len, bool reading) {
  hx_charge_steps(call->cx, BEGIN_STEPS);
  *job = (hx_text_job){ .encoding = find_encoding(hx_val_str(name)) };
  if (!job->encoding) {
    hx_fail_value(call, 1, name,
                  "%s is not a known encoding. Use a name of IANA's registry, such as \"UTF-16LE\" or \"windows-1252\".");
    return false;
  }
  hx_charge_steps(call->cx, cost(job->encoding, len));
  return prepare(call, job, reading);
}

/* Encodes a text. Returns UINT32_MAX, or the position of the first character that the encoding lacks. */
static uint32_t encode_text(hx_text_job *job, hx_str s, hx_buf *b) {
  const hx_text_family *f = job->encoding->family;
  int32_t cp;
  if (f->begin) b->len += f->begin(job, (unsigned char *)hx_buf_reserve(b, HX_TEXT_ROOM));
  for (uint32_t at = 0; at < s.len;) {
    uint32_t from = at;
    at += hx_utf8_read(s.p + at, s.p + s.len, &cp);
    uint32_t len = f->write(job, cp, (unsigned char *)hx_buf_reserve(b, HX_TEXT_ROOM));
    if (!len) return from;
    b->len += len;
  }
  if (f->finish) b->len += f->finish(job, (unsigned char *)hx_buf_reserve(b, HX_TEXT_ROOM));
  return UINT32_MAX;
}

hx_val hx_fn_textencodebase64(hx_call *call, const hx_val *args) {
  hx_text_job job;
  hx_buf b;
  hx_str s = hx_val_str(&args[0]);
  if (!begin(call, &job, &args[1], s.len, false)) return hx_none();
  hx_buf_init(&b, &call->cx->arena, s.len);
  uint32_t bad = encode_text(&job, s, &b);
  if (bad == UINT32_MAX) return hx_base64_value(call->cx, hx_buf_done(&b));
  return hx_fail_telling(call, 0, "The encoding lacks a character of the text.",
                         "The encoding lacks the character at byte %u of the text.", bad);
}

/* Decodes bytes. Returns UINT32_MAX, or the position of bytes that aren't a character. reference: this includes bytes for U+FFFD itself. */
static uint32_t decode_bytes(hx_text_job *job, hx_str bytes, hx_buf *b) {
  const unsigned char *p = (const unsigned char *)bytes.p;
  for (uint32_t at = 0; at < bytes.len;) {
    int32_t cp = HX_TEXT_BAD, second = HX_TEXT_NOTHING;
    uint32_t from = at;
    at += job->encoding->family->read(job, p + at, bytes.len - at, &cp, &second);
    if (cp == HX_TEXT_BAD || cp == 0xfffd) return from;
    if (cp != HX_TEXT_NOTHING) b->len += hx_utf8_write(hx_buf_reserve(b, 4), cp);
    if (second != HX_TEXT_NOTHING) b->len += hx_utf8_write(hx_buf_reserve(b, 4), second);
  }
  return UINT32_MAX;
}

hx_val hx_fn_textdecodebase64(hx_call *call, const hx_val *args) {
  hx_text_job job;
  hx_buf b;
  hx_str bytes;
  if (!begin(call, &job, &args[1], args[0].len, true)) return hx_none();
  if (!hx_base64_read(call->cx, hx_val_str(&args[0]), &bytes)) return hx_fail_base64(call, 0);
  hx_buf_init(&b, &call->cx->arena, bytes.len);
  uint32_t bad = decode_bytes(&job, bytes, &b);
  if (bad == UINT32_MAX) return hx_string_of(call->cx, hx_buf_done(&b));
  return hx_fail_telling(call, 0, "A decoded byte begins no character of the encoding.",
                         "Byte %u of the decoded text begins no character of the encoding.", bad);
}
