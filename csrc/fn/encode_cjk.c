/* encode_cjk.c: encodings with several bytes for a character: Japanese, Korean, Chinese. Headers: fn/encode_text.h.
** Source: the WHATWG's tables, which the reference uses. The system's tables are almost the same; the fixes below list the differences.
** Each written character is read back, because a table may have it in one direction only, which would change a text. */
#include "fn/encode_text.h"

/* Returns two bytes as a number, in the form of the fixes. */
static uint32_t pair_of(const unsigned char *p) {
  return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t put_pair(unsigned char *out, uint32_t pair) {
  out[0] = (unsigned char)(pair >> 8);
  out[1] = (unsigned char)(pair & 255);
  return 2;
}

static bool is_private(int32_t cp) {
  return cp >= 0xe000 && cp <= 0xf8ff;
}

static const hx_text_fix *find_bytes(const hx_text_fix *fix, uint32_t bytes) {
  for (; fix && fix->bytes; fix++)
    if (fix->bytes == bytes) return fix;
  return NULL;
}

static const hx_text_fix *find_cp(const hx_text_fix *fix, int32_t cp) {
  for (; fix->bytes; fix++)
    if (fix->cp == cp) return fix;
  return NULL;
}

/* Reads a character of two bytes by table 0 and the encoding's fixes. Characters of private use are rejected, because the reference's
** tables have none for two bytes. */
static int32_t read_pair(hx_text_job *job, const unsigned char *p, int32_t *second) {
  const hx_text_fix *fix = find_bytes(job->encoding->fixes, pair_of(p));
  if (fix) return fix->cp;
  int32_t cp = hx_text_read(job, 0, p, 2, second);
  return is_private(cp) ? HX_TEXT_BAD : cp;
}

static uint32_t write_pair(hx_text_job *job, int32_t cp, unsigned char *out) {
  int32_t second = HX_TEXT_NOTHING;
  return hx_text_write(job, 0, cp, out) == 2 && read_pair(job, out, &second) == cp && second == HX_TEXT_NOTHING ? 2 : 0;
}

static uint32_t write_ascii(int32_t cp, unsigned char *out) {
  *out = (unsigned char)cp;
  return 1;
}

/* Reads an ASCII character, or one of two bytes, the first of them 0x81 or more. Returns the number of bytes. */
static uint32_t read_wide(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  *cp = *p < 0x80 ? *p : HX_TEXT_BAD;
  if (*p <= 0x80 || left < 2) return 1;
  *cp = read_pair(job, p, second);
  return 2;
}

static uint32_t write_wide(hx_text_job *job, int32_t cp, unsigned char *out) {
  return cp < 0x80 ? write_ascii(cp, out) : write_pair(job, cp, out);
}

/* Korean */

const hx_text_family hx_text_euc_kr = { read_wide, write_wide, NULL, NULL };

/* Big5 with the Hong Kong characters */

const hx_text_fix hx_text_big5_fixes[] = {
  { 0x8e69, 0x7bb8 }, { 0x8e6f, 0x7c06 }, { 0x8e7e, 0x7cce }, { 0x8eab, 0x7dd2 }, { 0x8eb4, 0x7e1d }, { 0x8ecd, 0x8005 },
  { 0x8ed0, 0x8028 }, { 0x8f57, 0x83c1 }, { 0x8f69, 0x84a8 }, { 0x8f6e, 0x840f }, { 0x8fcb, 0x89a6 }, { 0x8fcc, 0x89a9 },
  { 0x8ffe, 0x8d77 }, { 0x906d, 0x90fd }, { 0x907a, 0x92b9 }, { 0x90dc, 0x975c }, { 0x90f1, 0x97ff }, { 0x91bf, 0x9f16 },
  { 0x9244, 0x8503 }, { 0x92af, 0x5159 }, { 0x92b0, 0x515b }, { 0x92b1, 0x515d }, { 0x92b2, 0x515e }, { 0x92c8, 0x936e },
  { 0x92d1, 0x7479 }, { 0x9447, 0x6d67 }, { 0x94ca, 0x799b }, { 0x95d9, 0x9097 }, { 0x9644, 0x975d }, { 0x96ed, 0x701e },
  { 0x96fc, 0x5b28 }, { 0x9b76, 0x7201 }, { 0x9b78, 0x77d7 }, { 0x9b7b, 0x7e87 }, { 0x9bc6, 0x99d6 }, { 0x9bde, 0x91d4 },
  { 0x9bec, 0x60de }, { 0x9bf6, 0x6fb6 }, { 0x9c42, 0x8f36 }, { 0x9c53, 0x4fbb }, { 0x9c62, 0x71df }, { 0x9c68, 0x9104 },
  { 0x9c6b, 0x9df0 }, { 0x9c77, 0x83cf }, { 0x9cbc, 0x5c10 }, { 0x9cbd, 0x79e3 }, { 0x9cd0, 0x5a67 }, { 0x9d57, 0x8f0b },
  { 0x9d5a, 0x7b51 }, { 0x9dc4, 0x62d0 }, { 0x9ea9, 0x6062 }, { 0x9eef, 0x75f9 }, { 0x9efd, 0x6c4a }, { 0x9f60, 0x9b2e },
  { 0x9f66, 0x9f17 }, { 0x9fcb, 0x50ed }, { 0x9fd8, 0x5f0c }, { 0xa063, 0x880f }, { 0xa077, 0x62ce }, { 0xa0d5, 0x7468 },
  { 0xa0df, 0x7162 }, { 0xa0e4, 0x7250 }, { 0xa145, 0x2027 }, { 0xa14e, 0xfe51 }, { 0xa15a, 0x2574 }, { 0xa1c2, 0xaf },
  { 0xa1c3, 0xffe3 }, { 0xa1c5, 0x2cd },  { 0xa1e3, 0xff5e }, { 0xa1f2, 0x2295 }, { 0xa1f3, 0x2299 }, { 0xa1fe, 0xff0f },
  { 0xa240, 0xff3c }, { 0xa241, 0x2215 }, { 0xa242, 0xfe68 }, { 0xa244, 0xffe5 }, { 0xa246, 0xffe0 }, { 0xa247, 0xffe1 },
  { 0xa2cc, 0x5341 }, { 0xa2ce, 0x5345 }, { 0xa3c0, 0x2400 }, { 0xa3c1, 0x2401 }, { 0xa3c2, 0x2402 }, { 0xa3c3, 0x2403 },
  { 0xa3c4, 0x2404 }, { 0xa3c5, 0x2405 }, { 0xa3c6, 0x2406 }, { 0xa3c7, 0x2407 }, { 0xa3c8, 0x2408 }, { 0xa3c9, 0x2409 },
  { 0xa3ca, 0x240a }, { 0xa3cb, 0x240b }, { 0xa3cc, 0x240c }, { 0xa3cd, 0x240d }, { 0xa3ce, 0x240e }, { 0xa3cf, 0x240f },
  { 0xa3d0, 0x2410 }, { 0xa3d1, 0x2411 }, { 0xa3d2, 0x2412 }, { 0xa3d3, 0x2413 }, { 0xa3d4, 0x2414 }, { 0xa3d5, 0x2415 },
  { 0xa3d6, 0x2416 }, { 0xa3d7, 0x2417 }, { 0xa3d8, 0x2418 }, { 0xa3d9, 0x2419 }, { 0xa3da, 0x241a }, { 0xa3db, 0x241b },
  { 0xa3dc, 0x241c }, { 0xa3dd, 0x241d }, { 0xa3de, 0x241e }, { 0xa3df, 0x241f }, { 0xa3e0, 0x2421 }, { 0xa3e1, 0x20ac },
  { 0xc6cf, 0x5ef4 }, { 0xc6d3, 0x65e0 }, { 0xc6d5, 0x7676 }, { 0xc6d7, 0x96b6 }, { 0xc6de, 0x3003 }, { 0xc6df, 0x4edd },
  { 0xfa5f, 0x5029 }, { 0xfa66, 0x507d }, { 0xfabd, 0x5305 }, { 0xfac5, 0x5344 }, { 0xfad5, 0x537f }, { 0xfb48, 0x5605 },
  { 0xfbb8, 0x5a77 }, { 0xfbf3, 0x5e75 }, { 0xfbf9, 0x5ed0 }, { 0xfc4f, 0x5f58 }, { 0xfc6c, 0x60a4 }, { 0xfcb9, 0x6490 },
  { 0xfce2, 0x6674 }, { 0xfcf1, 0x675e }, { 0xfdb7, 0x6c9c }, { 0xfdb8, 0x6e1d }, { 0xfdbb, 0x6e2f }, { 0xfdf1, 0x716e },
  { 0xfe52, 0x732a }, { 0xfe6f, 0x745c }, { 0xfeaa, 0x74e9 }, { 0xfedd, 0x7809 }, { 0, 0 },
};

/* The bytes to write for characters that occur twice in the table, or that the system can only read. */
static const hx_text_fix big5_writes[] = {
  { 0xa1c2, 0xaf },   { 0xa1c5, 0x2cd },  { 0xa145, 0x2027 }, { 0xa3e1, 0x20ac }, { 0xa241, 0x2215 }, { 0xa1f2, 0x2295 },
  { 0xa1f3, 0x2299 }, { 0xa3c0, 0x2400 }, { 0xa3c1, 0x2401 }, { 0xa3c2, 0x2402 }, { 0xa3c3, 0x2403 }, { 0xa3c4, 0x2404 },
  { 0xa3c5, 0x2405 }, { 0xa3c6, 0x2406 }, { 0xa3c7, 0x2407 }, { 0xa3c8, 0x2408 }, { 0xa3c9, 0x2409 }, { 0xa3ca, 0x240a },
  { 0xa3cb, 0x240b }, { 0xa3cc, 0x240c }, { 0xa3cd, 0x240d }, { 0xa3ce, 0x240e }, { 0xa3cf, 0x240f }, { 0xa3d0, 0x2410 },
  { 0xa3d1, 0x2411 }, { 0xa3d2, 0x2412 }, { 0xa3d3, 0x2413 }, { 0xa3d4, 0x2414 }, { 0xa3d5, 0x2415 }, { 0xa3d6, 0x2416 },
  { 0xa3d7, 0x2417 }, { 0xa3d8, 0x2418 }, { 0xa3d9, 0x2419 }, { 0xa3da, 0x241a }, { 0xa3db, 0x241b }, { 0xa3dc, 0x241c },
  { 0xa3dd, 0x241d }, { 0xa3de, 0x241e }, { 0xa3df, 0x241f }, { 0xa3e0, 0x2421 }, { 0xa15a, 0x2574 }, { 0xc6de, 0x3003 },
  { 0xfa5f, 0x5029 }, { 0xfa66, 0x507d }, { 0xfabd, 0x5305 }, { 0xfac5, 0x5344 }, { 0xfad5, 0x537f }, { 0xfb48, 0x5605 },
  { 0xfbb8, 0x5a77 }, { 0xfbf3, 0x5e75 }, { 0xfbf9, 0x5ed0 }, { 0x9fd8, 0x5f0c }, { 0xfc4f, 0x5f58 }, { 0xfc6c, 0x60a4 },
  { 0xfcb9, 0x6490 }, { 0xfce2, 0x6674 }, { 0xfcf1, 0x675e }, { 0xfdb7, 0x6c9c }, { 0xfdb8, 0x6e1d }, { 0xfdbb, 0x6e2f },
  { 0xfdf1, 0x716e }, { 0xa0e4, 0x7250 }, { 0xfe52, 0x732a }, { 0xfe6f, 0x745c }, { 0xa0d5, 0x7468 }, { 0xfeaa, 0x74e9 },
  { 0xfedd, 0x7809 }, { 0x9244, 0x8503 }, { 0xa063, 0x880f }, { 0xc6d7, 0x96b6 }, { 0x9f66, 0x9f17 }, { 0xa14e, 0xfe51 },
  { 0xa242, 0xfe68 }, { 0xa1fe, 0xff0f }, { 0xa240, 0xff3c }, { 0xa1e3, 0xff5e }, { 0xa246, 0xffe0 }, { 0xa247, 0xffe1 },
  { 0xa1c3, 0xffe3 }, { 0xa244, 0xffe5 }, { 0, 0 },
};

static uint32_t write_big5(hx_text_job *job, int32_t cp, unsigned char *out) {
  const hx_text_fix *fix = cp < 0x80 ? NULL : find_cp(big5_writes, cp);
  return fix ? put_pair(out, fix->bytes) : write_wide(job, cp, out);
}

const hx_text_family hx_text_big5 = { read_wide, write_big5, NULL, NULL };

/* Simplified Chinese: GBK's two bytes, GB 18030's four, and HZ's seven-bit form, whose *wide parts* have two bytes for a character */

const hx_text_fix hx_text_gb_fixes[] = {
  { 0xa3a0, 0x3000 },      { 0xa6d9, HX_TEXT_BAD }, { 0xa6da, HX_TEXT_BAD },
  { 0xa6db, HX_TEXT_BAD }, { 0xa6dc, HX_TEXT_BAD }, { 0xa6dd, HX_TEXT_BAD },
  { 0xa6de, HX_TEXT_BAD }, { 0xa6df, HX_TEXT_BAD }, { 0xa6ec, HX_TEXT_BAD },
  { 0xa6ed, HX_TEXT_BAD }, { 0xa6f3, HX_TEXT_BAD }, { 0xa8bc, HX_TEXT_BAD },
  { 0xfe51, HX_TEXT_BAD }, { 0xfe52, HX_TEXT_BAD }, { 0xfe53, HX_TEXT_BAD },
  { 0xfe59, HX_TEXT_BAD }, { 0xfe61, HX_TEXT_BAD }, { 0xfe66, HX_TEXT_BAD },
  { 0xfe67, HX_TEXT_BAD }, { 0xfe6c, HX_TEXT_BAD }, { 0xfe6d, HX_TEXT_BAD },
  { 0xfe76, HX_TEXT_BAD }, { 0xfe7e, HX_TEXT_BAD }, { 0xfe90, HX_TEXT_BAD },
  { 0xfe91, HX_TEXT_BAD }, { 0xfea0, HX_TEXT_BAD }, { 0, 0 },
};

#define EURO 0x20ac

/* Reads GBK and GB 18030: both accept Microsoft's single byte for the euro. */
static uint32_t read_gbk(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  uint32_t n = read_wide(job, p, left, cp, second);
  if (*p == 0x80) *cp = EURO;
  return n;
}

static uint32_t write_gbk(hx_text_job *job, int32_t cp, unsigned char *out) {
  if (cp == EURO) return write_ascii(0x80, out);
  return write_wide(job, cp, out);
}

/* Runs of characters that are written in four bytes, which encode a count of characters. number: the count of the run's first
** character. The runs are characters that newer editions moved to two bytes, characters of private use with four bytes, and all
** characters outside of the first plane. */
static const struct gb_run {
  int32_t first, last;
  uint32_t number;
} gb_runs[] = {
  { 0x1e3f, 0x1e3f, 7457 },      { 0x9fb4, 0x9fbb, 19057 }, { 0xe76c, 0xe76c, 33469 }, { 0xe7c8, 0xe7c8, 33470 },
  { 0xe7e7, 0xe7f3, 33471 },     { 0xe815, 0xe815, 33484 }, { 0xe819, 0xe81d, 33485 }, { 0xe81f, 0xe825, 33490 },
  { 0xe827, 0xe82a, 33497 },     { 0xe82d, 0xe830, 33501 }, { 0xe833, 0xe83a, 33505 }, { 0xe83c, 0xe842, 33513 },
  { 0xe844, 0xe853, 33520 },     { 0xe856, 0xe863, 33536 }, { 0xe865, 0xf8ff, 33550 }, { 0xfe10, 0xfe19, 39076 },
  { 0x10000, 0x10ffff, 189000 },
};

static uint32_t put_four(unsigned char *out, uint32_t number) {
  out[3] = (unsigned char)(0x30 + number % 10);
  out[2] = (unsigned char)(0x81 + number / 10 % 126);
  out[1] = (unsigned char)(0x30 + number / 1260 % 10);
  out[0] = (unsigned char)(0x81 + number / 12600);
  return 4;
}

static int32_t read_four(hx_text_job *job, const unsigned char *p) {
  unsigned char bytes[4];
  int32_t second;
  if (p[2] < 0x81 || p[2] > 0xfe || p[3] < '0' || p[3] > '9') return HX_TEXT_BAD;
  uint32_t number = ((p[0] - 0x81u) * 10 + (p[1] - 0x30u)) * 1260 + (p[2] - 0x81u) * 10 + (p[3] - 0x30u);
  for (size_t i = 0; i < sizeof gb_runs / sizeof *gb_runs; i++)
    if (number >= gb_runs[i].number && number - gb_runs[i].number <= (uint32_t)(gb_runs[i].last - gb_runs[i].first))
      return gb_runs[i].first + (int32_t)(number - gb_runs[i].number);
  int32_t cp = hx_text_read(job, 0, bytes, put_four(bytes, number), &second);
  return is_private(cp) ? HX_TEXT_BAD : cp;
}

/* reference: the second byte may be up to `?`, and continues the count. */
static uint32_t read_gb18030(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  bool four = left >= 2 && p[0] > 0x80 && p[1] >= '0' && p[1] <= '?';
  if (!four) return read_gbk(job, p, left, cp, second);
  *cp = left < 4 ? HX_TEXT_BAD : read_four(job, p);
  return left < 4 ? left : 4;
}

static uint32_t write_gb18030(hx_text_job *job, int32_t cp, unsigned char *out) {
  for (size_t i = 0; i < sizeof gb_runs / sizeof *gb_runs; i++) {
    if (cp < gb_runs[i].first || cp > gb_runs[i].last) continue;
    return put_four(out, gb_runs[i].number + (uint32_t)(cp - gb_runs[i].first));
  }
  if (cp < 0x80) return write_ascii(cp, out);
  uint32_t n = write_pair(job, cp, out);
  return n || is_private(cp) || hx_text_write(job, 0, cp, out) != 4 ? n : 4;
}

enum { HZ_ASCII, HZ_WIDE };

/* Returns true if the wide part of HZ has the pair. It has the rows of GB 2312 that two seven-bit bytes can name. */
static bool is_in_hz(const unsigned char *p) {
  return p[0] >= 0xa1 && p[0] < 0xfe && p[1] >= 0xa1 && p[1] < 0xff;
}

static uint32_t read_hz_shift(hx_text_job *job, unsigned char c, int32_t *cp) {
  *cp = c == '{' || c == '}' || c == '\n' ? HX_TEXT_NOTHING : c == '~' ? '~' : HX_TEXT_BAD;
  if (c == '{') job->state = HZ_WIDE;
  if (c == '}') job->state = HZ_ASCII;
  return 2;
}

static uint32_t read_hz(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  *cp = HX_TEXT_BAD;
  if (p[0] == '~' && left > 1) return read_hz_shift(job, p[1], cp);
  if (p[0] == '~' || p[0] >= 0x80) return 1;
  if (job->state == HZ_ASCII) *cp = p[0];
  if (job->state == HZ_ASCII || left < 2) return 1;
  const unsigned char wide[2] = { p[0] | 0x80, p[1] | 0x80 };
  if (p[1] < 0x80 && is_in_hz(wide)) *cp = read_pair(job, wide, second);
  return 2;
}

/* reference: a tilde is doubled without leaving the wide part. The end of the text doesn't leave it either. */
static uint32_t write_hz(hx_text_job *job, int32_t cp, unsigned char *out) {
  unsigned char wide[8];
  if (cp == '~') return put_pair(out, '~' << 8 | '~');
  bool ascii = cp < 0x80;
  if (!ascii && (!write_pair(job, cp, wide) || !is_in_hz(wide))) return 0;
  uint32_t n = 0, want = ascii ? HZ_ASCII : HZ_WIDE;
  if (job->state != want) n = put_pair(out, (uint32_t)('~' << 8 | (ascii ? '}' : '{')));
  job->state = want;
  if (ascii) return n + write_ascii(cp, out + n);
  return n + put_pair(out + n, pair_of(wide) & 0x7f7f);
}

const hx_text_family hx_text_gbk = { read_gbk, write_gbk, NULL, NULL };
const hx_text_family hx_text_gb18030 = { read_gb18030, write_gb18030, NULL, NULL };
const hx_text_family hx_text_hz = { read_hz, write_hz, NULL, NULL };

/* Japanese. The three encodings have the same 94 rows of 94 cells (JIS X 0208 with NEC's rows). Table 0 is Shift_JIS. Table 1 is EUC-JP, of
** which only the rows of JIS X 0212 are read. */

enum { KANA_FIRST = 0xff61, KANA_LAST = 0xff9f, KANA_BYTE = 0xa1 };

static bool is_kana(int32_t cp) {
  return cp >= KANA_FIRST && cp <= KANA_LAST;
}

/* Returns the cell of two bytes of Shift_JIS, counted from 0 through all rows. Each first byte covers two rows. */
static uint32_t cell_of(const unsigned char *p) {
  uint32_t lead = p[0] < 0xa0 ? p[0] - 0x81u : p[0] - 0xc1u, trail = p[1] - 0x40u - (p[1] > 0x7f);
  return lead * 188 + trail;
}

static void shift_jis_of(uint32_t cell, unsigned char *out) {
  uint32_t lead = cell / 188, trail = cell % 188;
  out[0] = (unsigned char)(lead + (lead < 0x1f ? 0x81 : 0xc1));
  out[1] = (unsigned char)(trail + 0x40 + (trail >= 0x3f));
}

/* IBM's characters occur twice: in IBM's rows, which only Shift_JIS can name, and in NEC's selection of them, which is written. In the
** selection the small Roman numerals and four signs come last, and the capital numerals between these are absent. */
enum { IBM_FIRST = 114 * 94, IBM_SIGNS = IBM_FIRST + 20, IBM_KANJI = IBM_FIRST + 28, IBM_END = 120 * 94 };
enum { NEC_KANJI = 88 * 94, NEC_ROMAN = 91 * 94 + 80, NEC_SIGNS = NEC_ROMAN + 10 };

static uint32_t prefer_nec(uint32_t cell) {
  if (cell >= IBM_KANJI && cell < IBM_END) return cell - IBM_KANJI + NEC_KANJI;
  if (cell >= IBM_SIGNS && cell < IBM_SIGNS + 4) return cell - IBM_SIGNS + NEC_SIGNS;
  return cell >= IBM_FIRST && cell < IBM_FIRST + 10 ? cell - IBM_FIRST + NEC_ROMAN : cell;
}

/* Returns the cell of a character, or UINT32_MAX if it has none. */
static uint32_t find_cell(hx_text_job *job, int32_t cp) {
  unsigned char p[8];
  int32_t second;
  if (hx_text_write(job, 0, cp, p) != 2) return UINT32_MAX;
  uint32_t cell = prefer_nec(cell_of(p));
  shift_jis_of(cell, p);
  return cell < 94 * 94 && read_pair(job, p, &second) == cp ? cell : UINT32_MAX;
}

static int32_t read_cell(hx_text_job *job, uint32_t row, uint32_t column) {
  unsigned char p[2];
  int32_t second;
  if (row >= 94 || column >= 94) return HX_TEXT_BAD;
  shift_jis_of(row * 94 + column, p);
  return read_pair(job, p, &second);
}

static int32_t read_0212(hx_text_job *job, uint32_t row, uint32_t column) {
  const unsigned char p[3] = { 0x8f, (unsigned char)(row + 0xa1), (unsigned char)(column + 0xa1) };
  int32_t second;
  if (row >= 94 || column >= 94) return HX_TEXT_BAD;
  return hx_text_read(job, 1, p, 3, &second);
}

static uint32_t read_shift_jis(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  *cp = p[0] <= 0x80 ? p[0] : p[0] >= KANA_BYTE && p[0] <= 0xdf ? p[0] - KANA_BYTE + KANA_FIRST : HX_TEXT_BAD;
  if (*cp != HX_TEXT_BAD || p[0] == 0xa0 || p[0] > 0xfc || left < 2) return 1;
  *cp = read_pair(job, p, second);
  return 2;
}

static uint32_t write_shift_jis(hx_text_job *job, int32_t cp, unsigned char *out) {
  if (cp < 0x80) return write_ascii(cp, out);
  if (is_kana(cp)) return write_ascii(cp - KANA_FIRST + KANA_BYTE, out);
  uint32_t cell = find_cell(job, cp);
  if (cell == UINT32_MAX) return 0;
  shift_jis_of(cell, out);
  return 2;
}

static uint32_t read_euc_jp(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  (void)second;
  uint32_t takes = p[0] < 0x80 ? 1 : p[0] == 0x8f ? 3 : 2;
  *cp = HX_TEXT_BAD;
  if (left < takes) return left;
  if (takes == 1) *cp = p[0];
  else if (takes == 3) *cp = read_0212(job, p[1] - 0xa1u, p[2] - 0xa1u);
  else if (p[0] != 0x8e) *cp = read_cell(job, p[0] - 0xa1u, p[1] - 0xa1u);
  else if (p[1] >= KANA_BYTE && p[1] <= 0xdf) *cp = p[1] - KANA_BYTE + KANA_FIRST;
  return takes;
}

static uint32_t write_euc_jp(hx_text_job *job, int32_t cp, unsigned char *out) {
  int32_t second;
  if (cp < 0x80) return write_ascii(cp, out);
  if (is_kana(cp)) return put_pair(out, (uint32_t)(0x8e00 | (cp - KANA_FIRST + KANA_BYTE)));
  uint32_t cell = find_cell(job, cp);
  if (cell != UINT32_MAX) return put_pair(out, (cell / 94 + 0xa1) << 8 | (cell % 94 + 0xa1));
  return hx_text_write(job, 1, cp, out) == 3 && out[0] == 0x8f && hx_text_read(job, 1, out, 3, &second) == cp ? 3 : 0;
}

enum { JIS_ASCII, JIS_KANA, JIS_0208, JIS_0212 };

#define ESC 0x1b

static const struct jis_shift {
  const char *text;
  uint32_t state;
} jis_shifts[] = {
  { "\x1b(B", JIS_ASCII }, { "\x1b(J", JIS_ASCII }, { "\x1b(I", JIS_KANA },
  { "\x1b$B", JIS_0208 },  { "\x1b$@", JIS_0208 },  { "\x1b$(D", JIS_0212 },
};

static uint32_t read_jis_shift(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp) {
  for (size_t i = 0; i < sizeof jis_shifts / sizeof *jis_shifts; i++) {
    uint32_t len = (uint32_t)strlen(jis_shifts[i].text);
    if (left < len || memcmp(p, jis_shifts[i].text, len) != 0) continue;
    job->state = jis_shifts[i].state;
    *cp = HX_TEXT_NOTHING;
    return len;
  }
  *cp = HX_TEXT_BAD;
  return 1;
}

/* Reads a character. A line end returns from the wide parts to ASCII. reference: in the wide parts, the second of two bytes may
** have any value, and continues into other rows. */
static uint32_t read_iso_2022_jp(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second) {
  (void)second;
  *cp = HX_TEXT_BAD;
  if (p[0] == ESC) return read_jis_shift(job, p, left, cp);
  if (p[0] >= 0x80) return 1;
  if (p[0] == '\n' && job->state != JIS_KANA) job->state = JIS_ASCII;
  if (job->state == JIS_ASCII) *cp = p[0];
  if (job->state == JIS_KANA && p[0] > 0x20 && p[0] < 0x60) *cp = p[0] - 0x21 + KANA_FIRST;
  if (job->state <= JIS_KANA || left < 2) return 1;
  /* reference: both differences are taken modulo 256. */
  uint32_t cell = (unsigned char)(p[0] - 0x21u) * 94u + (unsigned char)(p[1] - 0x21u);
  *cp = (job->state == JIS_0208 ? read_cell : read_0212)(job, cell / 94, cell % 94);
  return 2;
}

static uint32_t enter_state(hx_text_job *job, uint32_t state, unsigned char *out) {
  if (job->state == state) return 0;
  job->state = state;
  for (size_t i = 0;; i++) {
    if (jis_shifts[i].state != state) continue;
    memcpy(out, jis_shifts[i].text, 3);
    return 3;
  }
}

static uint32_t write_iso_2022_jp(hx_text_job *job, int32_t cp, unsigned char *out) {
  uint32_t cell = cp < 0x80 || is_kana(cp) ? 0 : find_cell(job, cp);
  if (cell == UINT32_MAX) return 0;
  uint32_t n = enter_state(job, cp < 0x80 ? JIS_ASCII : is_kana(cp) ? JIS_KANA : JIS_0208, out);
  if (cp < 0x80) return n + write_ascii(cp, out + n);
  if (is_kana(cp)) return n + write_ascii(cp - KANA_FIRST + 0x21, out + n);
  return n + put_pair(out + n, (cell / 94 + 0x21) << 8 | (cell % 94 + 0x21));
}

static uint32_t finish_iso_2022_jp(hx_text_job *job, unsigned char *out) {
  return enter_state(job, JIS_ASCII, out);
}

const hx_text_family hx_text_shift_jis = { read_shift_jis, write_shift_jis, NULL, NULL };
const hx_text_family hx_text_euc_jp = { read_euc_jp, write_euc_jp, NULL, NULL };
const hx_text_family hx_text_iso_2022_jp = { read_iso_2022_jp, write_iso_2022_jp, NULL, finish_iso_2022_jp };
