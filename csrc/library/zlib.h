/* zlib.h: gzip. Only zlib.c uses zlib.
** Memory: a stream is in the caller's memory; zlib's own memory comes from the functions given, and close frees it.
** Errors: reported by the result. */
#ifndef HX_LIBRARY_ZLIB_H
#define HX_LIBRARY_ZLIB_H

#include "base/str.h"

typedef enum hx_zlib_answer {
  HX_ZLIB_MORE, /* call `work` again */
  HX_ZLIB_DONE,
  HX_ZLIB_SHORT,   /* the bytes to expand end too early */
  HX_ZLIB_DAMAGED, /* the bytes to expand are not gzip */
  HX_ZLIB_NO_MEMORY,
} hx_zlib_answer;

typedef struct hx_zlib_memory {
  void *(*take)(size_t n); /* returns NULL, without a report, if memory runs out */
  void (*give)(void *p);
} hx_zlib_memory;

typedef struct hx_zlib_library {
  size_t size; /* bytes of a stream */
  /* Open a stream for compressing or expanding. They return false without memory; then don't close the stream. */
  bool (*open_deflate)(void *stream, hx_str input, const hx_zlib_memory *memory);
  bool (*open_inflate)(void *stream, hx_str input, const hx_zlib_memory *memory);
  /* Writes up to `room` bytes, and sets *made to their number. Expanding also stops at the end of each of zlib's blocks, because
  ** thousands of blocks may make no bytes. The members of a file are expanded one after the other. */
  hx_zlib_answer (*work)(void *stream, char *out, uint32_t room, uint32_t *made);
  void (*close)(void *stream);
} hx_zlib_library;

extern HX_EXPORT const hx_zlib_library hx_library_zlib;

#endif
