/* file.c: file, fileexists, filebase64 and the digests of files. Headers: fn/file.h. */
#include "fn/file.h"

#include "fn/arguments.h"
#include "fn/encode.h"
#include "fn/file_path.h"
#include "fn/hash.h"
#include "text/quote.h"
#include "text/unicode.h"

bool hx_file_is_unknown(hx_call *call, hx_str path, hx_file_fault fault, hx_val *instead) {
  hx_host *host = call->host;
  if (fault != HX_FILE_OUTSIDE || !host->outside) return false;
  hx_str whole = HX_STR(HX_HIDDEN_TEXT);
  if (!hx_args_are_marked(call) && !hx_path_absolute(call->cx, host->directory, path, &whole)) whole = path;
  hx_answer answer = host->outside(host, call->cx, whole);
  *instead = answer == HX_ANSWER_OK ? hx_unknown(call->cx, call->ret ? call->ret : &hx_type_dynamic) : hx_none();
  return answer != HX_ANSWER_FAILED;
}

/* Reports what is wrong with the file that argument 0 names. */
static hx_val fail_file(hx_call *call, const hx_val *path, int32_t blame, const char *reason, const char *why) {
  bool hidden = hx_arg_is_marked(call, 0);
  hx_str shown = hidden ? HX_STR(HX_HIDDEN_TEXT) : hx_quote_short(call->cx, hx_val_str(path), HX_PATH_SHOWN);
  return hx_fail_because(call, blame, reason, hx_say(call->cx, "%.*s can't be read: %s.", HX_STR_ARG(shown), why));
}

/* Returns the result of a call whose file can't be read, after reporting the fault unless the result is unknown. */
static hx_val refuse(hx_call *call, const hx_val *path, int32_t blame, hx_file_fault fault) {
  hx_val instead;
  if (hx_file_is_unknown(call, hx_val_str(path), fault, &instead)) return instead;
  return fail_file(call, path, blame, hx_file_fault_reason(fault), hx_file_fault_text(fault));
}

/* Reads the file that argument 0 names. Returns false if *instead is the call's result. blame: 0 or HX_BLAME_CALL. */
static bool read_content(hx_call *call, const hx_val *path, int32_t blame, hx_str *content, hx_val *instead) {
  hx_file_place at;
  hx_file_fault fault = hx_file_locate_home(call->cx, call->host, hx_val_str(path), &at);
  if (fault == HX_FILE_FINE) fault = hx_file_read(call->cx, at.directory, at.inside, content);
  if (fault == HX_FILE_FINE) return true;
  *instead = refuse(call, path, blame, fault);
  return false;
}

bool hx_file_text(hx_call *call, const hx_val *path, hx_str *text, hx_val *instead) {
  if (!read_content(call, path, 0, text, instead)) return false;
  if (hx_utf8_valid(*text)) return true;
  *instead = fail_file(call, path, HX_BLAME_CALL, NULL, "it is not UTF-8 text. filebase64() and the digests take any bytes");
  return false;
}

static hx_val fn_file(hx_call *call, const hx_val *args) {
  hx_str text;
  hx_val instead;
  return hx_file_text(call, &args[0], &text, &instead) ? hx_string(hx_nfc(call->cx, text)) : instead;
}

static hx_val fn_filebase64(hx_call *call, const hx_val *args) {
  hx_str bytes;
  hx_val instead;
  return read_content(call, &args[0], 0, &bytes, &instead) ? hx_base64_value(call->cx, bytes) : instead;
}

/* fileexists. reference: something that isn't a file, such as a folder, is an error, not false. */
static hx_val fn_fileexists(hx_call *call, const hx_val *args) {
  hx_file_place at;
  hx_file_fault fault = hx_file_locate_home(call->cx, call->host, hx_val_str(&args[0]), &at);
  if (fault == HX_FILE_FINE) fault = hx_file_look(call->cx, at.directory, at.inside);
  if (fault == HX_FILE_FINE) return hx_bool(true);
  if (fault == HX_FILE_ABSENT) return hx_bool(false);
  return refuse(call, &args[0], HX_BLAME_CALL, fault);
}

/* filemd5 and similar functions: the function's row says which digest. */
static hx_val fn_filedigest(hx_call *call, const hx_val *args) {
  hx_str bytes;
  hx_val instead;
  return read_content(call, &args[0], HX_BLAME_CALL, &bytes, &instead) ? hx_digest(call, bytes) : instead;
}

#define OF_PATH .params = { HX_TEXT("path") }, .flags = HX_NOT_NULL, .needs = HX_NEEDS_FILES
#define PLACE                                                                                                                      \
  "A relative path starts at the first folder that the scope grants (filesystem). Nothing outside of the granted folders is ever " \
  "read. "

const hx_fn hx_fns_file[] = {
  { .name = "file",
    OF_PATH,
    .type = &hx_type_string,
    .impl = fn_file,
    .summary = "Returns the content of a file as a string.",
    .doc = PLACE "The file must be UTF-8 text. Line ends stay as they are.",
    .example = "file(\"hello.txt\")" },
  { .name = "fileexists",
    OF_PATH,
    .type = &hx_type_bool,
    .impl = fn_fileexists,
    .summary = "Returns true if a file exists.",
    .doc = PLACE "It is an error if the path leads to a folder, or to anything else that isn't a file.",
    .example = "fileexists(\"hello.txt\")" },
  { .name = "filebase64",
    OF_PATH,
    .type = &hx_type_string,
    .impl = fn_filebase64,
    .summary = "Returns the content of a file in base64.",
    .doc = PLACE "The file may contain any bytes.",
    .example = "filebase64(\"hello.txt\")" },
  { .name = "filemd5",
    OF_PATH,
    .type = &hx_type_string,
    .impl = fn_filedigest,
    .variant = HX_HASH_MD5,
    .summary = "Returns the MD5 digest of a file in hexadecimal.",
    .doc = PLACE "MD5 doesn't protect against forged files.",
    .example = "filemd5(\"hello.txt\")" },
  { .name = "filesha1",
    OF_PATH,
    .type = &hx_type_string,
    .impl = fn_filedigest,
    .variant = HX_HASH_SHA1,
    .summary = "Returns the SHA-1 digest of a file in hexadecimal.",
    .doc = PLACE "SHA-1 doesn't protect against forged files.",
    .example = "filesha1(\"hello.txt\")" },
  { .name = "filesha256",
    OF_PATH,
    .type = &hx_type_string,
    .impl = fn_filedigest,
    .variant = HX_HASH_SHA256,
    .summary = "Returns the SHA-256 digest of a file in hexadecimal.",
    .doc = PLACE "filebase64sha256() returns the same digest in base64.",
    .example = "filesha256(\"hello.txt\")" },
  { .name = "filesha512",
    OF_PATH,
    .type = &hx_type_string,
    .impl = fn_filedigest,
    .variant = HX_HASH_SHA512,
    .summary = "Returns the SHA-512 digest of a file in hexadecimal.",
    .doc = PLACE "filebase64sha512() returns the same digest in base64.",
    .example = "filesha512(\"hello.txt\")" },
  { .name = "filebase64sha256",
    OF_PATH,
    .type = &hx_type_string,
    .impl = fn_filedigest,
    .variant = HX_HASH_SHA256 | HX_IN_BASE64,
    .summary = "Returns the SHA-256 digest of a file in base64.",
    .doc = PLACE "The base64 text encodes the bytes of the digest, not its hexadecimal digits.",
    .example = "filebase64sha256(\"hello.txt\")" },
  { .name = "filebase64sha512",
    OF_PATH,
    .type = &hx_type_string,
    .impl = fn_filedigest,
    .variant = HX_HASH_SHA512 | HX_IN_BASE64,
    .summary = "Returns the SHA-512 digest of a file in base64.",
    .doc = PLACE "The base64 text encodes the bytes of the digest, not its hexadecimal digits.",
    .example = "filebase64sha512(\"hello.txt\")" },
  { .name = NULL },
};
