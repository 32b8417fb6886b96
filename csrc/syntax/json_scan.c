#include "syntax/json_scan.h"

/* What a byte begins, and what it may stand within. */
enum { KIND = 15, IN_NUMBER = 16, IN_WORD = 32, BLANK = 64 };

#define DIGIT (HX_JSON_NUMBER | IN_NUMBER)
#define WORD (HX_JSON_WORD | IN_WORD)
#define X HX_JSON_INVALID
#define X16 X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X

static const uint8_t classes[256] = {
  /* 0 */ X, X, X, X, X, X, X, X, X, BLANK, BLANK, X, X, BLANK, X, X, X16,
  /* blank ! " # $ % & ' */ BLANK, X, HX_JSON_STRING, X, X, X, X, X,
  /* ( ) * + , - . / */ X, X, X, DIGIT, HX_JSON_COMMA, DIGIT, DIGIT, X,
  /* 0 */ DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT,
  /* : ; < = > ? @ */ HX_JSON_COLON, X, X, HX_JSON_ASSIGN, X, X, X,
  /* A */ WORD, WORD, WORD, WORD, WORD | IN_NUMBER, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD,
  /* N */ WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD,
  /* [ \ ] ^ _ ` */ HX_JSON_OBRACK, X, HX_JSON_CBRACK, X, X | IN_WORD, X,
  /* a */ WORD, WORD, WORD, WORD, WORD | IN_NUMBER, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD,
  /* n */ WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD,
  /* { | } ~ */ HX_JSON_OBRACE, X, HX_JSON_CBRACE, X, X,
  /* 0x80 */ X16, X16, X16, X16, X16, X16, X16, X16,
};

#undef DIGIT
#undef WORD
#undef X
#undef X16

static uint32_t skip(const hx_json_scanner *s, uint32_t from, uint8_t within) {
  while (from < s->end && classes[(unsigned char)s->text[from]] & within) from++;
  return from;
}

hx_json_token hx_json_scan(hx_json_scanner *s) {
  hx_json_token t = { .start = skip(s, s->pos, BLANK) };
  t.stop = t.start;
  if (t.start < s->end) {
    t.kind = classes[(unsigned char)s->text[t.start]] & KIND;
    t.stop++;
    switch ((hx_json_kind)t.kind) {
      case HX_JSON_STRING:
        hx_json_string_read(s->cx, s->text + t.start, s->text + s->end, &s->string);
        t.stop = (uint32_t)(s->string.end - s->text);
        break;
      case HX_JSON_NUMBER: t.stop = skip(s, t.stop, IN_NUMBER); break;
      case HX_JSON_WORD: t.stop = skip(s, t.stop, IN_WORD); break;
      case HX_JSON_INVALID: s->end = t.stop; break;
      case HX_JSON_END:
      case HX_JSON_OBRACE:
      case HX_JSON_CBRACE:
      case HX_JSON_OBRACK:
      case HX_JSON_CBRACK:
      case HX_JSON_COMMA:
      case HX_JSON_COLON:
      case HX_JSON_ASSIGN: break;
    }
  }
  s->pos = t.stop;
  return t;
}
