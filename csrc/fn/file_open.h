/* file_open.h: files below the one folder that a scope grants. A path is resolved element by element from an open folder, never by the
** system as a whole: symbolic links are read and resolved here, and what leads out of the folder is refused. Nothing that is renamed
** or replaced meanwhile can lead out either, for each element is opened without following links.
** Memory: contents in cx->arena, charged before they are read.
** Errors: a fault; its text is for messages. Limits abort; no handle is lost then. */
#ifndef HX_FN_FILE_OPEN_H
#define HX_FN_FILE_OPEN_H

#include "base/cx.h"

typedef enum hx_file_fault {
  HX_FILE_FINE,
  HX_FILE_ABSENT,
  HX_FILE_NOT_FOLDER, /* an element before the last is a file */
  HX_FILE_IS_FOLDER,
  HX_FILE_SPECIAL, /* a device, pipe or the like */
  HX_FILE_OUTSIDE,
  HX_FILE_DENIED,
  HX_FILE_LINKS, /* too many symbolic links */
  HX_FILE_NAME,  /* it can't be the name of a file */
  HX_FILE_HOME,  /* a home directory that can't be told */
  HX_FILE_BROKEN /* reading it failed */
} hx_file_fault;

/* "there is no such file" … */
const char *hx_file_fault_text(hx_file_fault fault);

/* A path, as users write it, below the granted directory: *inside is relative to that ("." for itself), and clean. */
hx_file_fault hx_file_locate(hx_cx *cx, hx_str directory, hx_str path, hx_str *inside);

/* What is at `inside`: FINE for a regular file. */
hx_file_fault hx_file_look(hx_cx *cx, hx_str directory, hx_str inside);
/* Its content. */
hx_file_fault hx_file_read(hx_cx *cx, hx_str directory, hx_str inside, hx_str *content);

typedef struct hx_file_entry {
  hx_str name;
  bool folder; /* also a link to one */
} hx_file_entry;
/* A folder's entries but for "." and "..", sorted by name. dev_ino: what tells the folder from others. */
hx_file_fault hx_file_list(hx_cx *cx, hx_str directory, hx_str inside, hx_file_entry **entries, uint32_t *n, uint64_t dev_ino[2]);

#endif
