/* encode_text.h: text encodings, a character at a time, so that each follows the reference where the system's tables differ.
** Memory: a job's handles are freed with cx->scratch.
** Errors: what an encoding can't read or write is told by the result; the functions report it. */
#ifndef HX_FN_ENCODE_TEXT_H
#define HX_FN_ENCODE_TEXT_H

#include "base/buf.h"

#define HX_TEXT_BAD (-1)     /* bytes that mean nothing */
#define HX_TEXT_NOTHING (-2) /* bytes that make no character: they only change the state */
#define HX_TEXT_ROOM 12      /* bytes that one character may become, changes of state included */

/* A character that the system's table has elsewhere or lacks. */
typedef struct hx_text_fix {
  uint16_t bytes;
  int32_t cp; /* HX_TEXT_BAD: these bytes are none */
} hx_text_fix;

typedef struct hx_encoding hx_encoding;

typedef struct hx_text_job {
  hx_cx *cx;
  const hx_encoding *encoding;
  uint32_t state; /* of encodings with shifts; 0 at the beginning */
  void *read[2];  /* the system's converters of the encoding's tables to UTF-8 … */
  void *write[2]; /* … and back */
  int32_t *chars; /* of encodings of one byte: all 256 */
} hx_text_job;

/* How the encodings of one family go. */
typedef struct hx_text_family {
  /* The character at p (left > 0): bytes taken. second: HX_TEXT_NOTHING, or a character that follows the first. */
  uint32_t (*read)(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second);
  /* The bytes of cp: their number, 0: there are none. */
  uint32_t (*write)(hx_text_job *job, int32_t cp, unsigned char *out);
  /* What stands at the beginning and at the end; may be NULL. */
  uint32_t (*begin)(hx_text_job *job, unsigned char *out);
  uint32_t (*finish)(hx_text_job *job, unsigned char *out);
} hx_text_family;

struct hx_encoding {
  const char *names; /* as IANA has them, lower case, a space between two */
  const hx_text_family *family;
  const char *tables[2];    /* the system's names of what it is made from, or NULL */
  const hx_text_fix *fixes; /* end at bytes == 0; may be NULL */
};

/* encode_cjk.c: encodings of several bytes a character */
extern const hx_text_family hx_text_shift_jis, hx_text_euc_jp, hx_text_iso_2022_jp, hx_text_euc_kr, hx_text_gbk, hx_text_gb18030,
    hx_text_hz, hx_text_big5;
extern const hx_text_fix hx_text_big5_fixes[], hx_text_gb_fixes[];

/* The character of some bytes by the system's table; HX_TEXT_BAD: none. *second: a character that follows it there. */
int32_t hx_text_read(hx_text_job *job, int table, const unsigned char *p, uint32_t n, int32_t *second);
/* The bytes of a character by the system's table: their number, 0: none. At most 8. */
uint32_t hx_text_write(hx_text_job *job, int table, int32_t cp, unsigned char *out);

#endif
