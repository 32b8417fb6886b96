/* encode_text.h: text encodings, one character at a time. Each follows the reference where the system's tables differ.
** Memory: the tables of an encoding stay until the activity ends, because opening one may load an object of the system, and a loop may
**   switch between encodings. Cost: opening a table is charged once for each activity, because no table is kept longer.
** Errors: the result says what an encoding can't read or write; the functions report it. */
#ifndef HX_FN_ENCODE_TEXT_H
#define HX_FN_ENCODE_TEXT_H

#include "base/buf.h"

#define HX_TEXT_BAD (-1)     /* the bytes aren't a character */
#define HX_TEXT_NOTHING (-2) /* the bytes aren't a character, and only change the state */
#define HX_TEXT_ROOM 12      /* the most bytes of one character, with changes of state */

/* A character that the system's table has in another place, or lacks. */
typedef struct hx_text_fix {
  uint16_t bytes;
  int32_t cp; /* HX_TEXT_BAD: these bytes aren't a character */
} hx_text_fix;

typedef struct hx_encoding hx_encoding;

/* The open tables of an encoding. */
typedef struct hx_text_tables {
  void *read[2];  /* the system's converters from the encoding's tables to UTF-8 */
  void *write[2]; /* the converters from UTF-8 to the tables */
  int32_t *chars; /* for one-byte encodings: all 256 characters, and no converters */
} hx_text_tables;

typedef struct hx_text_job {
  const hx_encoding *encoding;
  const hx_text_tables *tables;
  uint32_t state; /* for encodings with shifts; 0 at the beginning */
} hx_text_job;

/* The functions of a family of encodings. */
typedef struct hx_text_family {
  /* Reads the character at p (left > 0) into *cp, and returns the number of bytes. Sets *second to a second character that the
  ** bytes contain, or to HX_TEXT_NOTHING. */
  uint32_t (*read)(hx_text_job *job, const unsigned char *p, uint32_t left, int32_t *cp, int32_t *second);
  /* Writes the bytes of cp; returns their number, or 0 if the encoding lacks cp. */
  uint32_t (*write)(hx_text_job *job, int32_t cp, unsigned char *out);
  /* Write the beginning and the end of a text, and return the number of bytes. They may be NULL. */
  uint32_t (*begin)(hx_text_job *job, unsigned char *out);
  uint32_t (*finish)(hx_text_job *job, unsigned char *out);
} hx_text_family;

struct hx_encoding {
  const char *names; /* IANA's names, lower case, separated by spaces */
  const hx_text_family *family;
  const char *tables[2];    /* the system's names of the encoding's tables, or NULL */
  const hx_text_fix *fixes; /* ends with bytes == 0; may be NULL */
};

/* encode_cjk.c: encodings with several bytes for a character */
extern const hx_text_family hx_text_shift_jis, hx_text_euc_jp, hx_text_iso_2022_jp, hx_text_euc_kr, hx_text_gbk, hx_text_gb18030,
    hx_text_hz, hx_text_big5;
extern const hx_text_fix hx_text_big5_fixes[], hx_text_gb_fixes[];

/* Returns the character of n bytes in the system's table, or HX_TEXT_BAD. Sets *second if the table has two characters for these bytes. */
int32_t hx_text_read(hx_text_job *job, int table, const unsigned char *p, uint32_t n, int32_t *second);
/* Writes the bytes of a character in the system's table; returns their number, at most 8, or 0 if the table lacks it. */
uint32_t hx_text_write(hx_text_job *job, int table, int32_t cp, unsigned char *out);

#endif
