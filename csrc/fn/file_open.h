/* file_open.h: files below the folders that a scope grants. A path lies in one of these, and is resolved element by element from there,
** never by the system as a whole. Symbolic links are read and resolved here, and a path that leads out of the folder is rejected. Renaming
** or replacing files meanwhile can't lead out either, because each element is opened without following links. Only if nothing confines a
** path (hx_file_read_anywhere) does the system find the file.
** Memory: contents in cx->arena, charged before they are read.
** Errors: a fault, whose text is for messages. Limits abort, and lose no handle. */
#ifndef HX_FN_FILE_OPEN_H
#define HX_FN_FILE_OPEN_H

#include "vm/host.h"

typedef enum hx_file_fault {
  HX_FILE_FINE,
  HX_FILE_ABSENT,
  HX_FILE_NOT_FOLDER, /* an element before the last is a file */
  HX_FILE_NO_FOLDER,  /* the path to be listed isn't a folder */
  HX_FILE_IS_FOLDER,
  HX_FILE_SPECIAL, /* a device, pipe or similar */
  HX_FILE_OUTSIDE,
  HX_FILE_NO_ROOT, /* the granted folder itself doesn't exist */
  HX_FILE_DENIED,
  HX_FILE_LINKS, /* too many symbolic links */
  HX_FILE_NAME,  /* no file can have this name */
  HX_FILE_HOME,  /* an unknown home directory */
  HX_FILE_BROKEN /* reading the file failed */
} hx_file_fault;

/* Returns the fault in words, such as "the file does not exist". */
const char *hx_file_fault_text(hx_file_fault fault);
/* Returns the reason of the diagnostic, for hx_fail_because. */
const char *hx_file_fault_reason(hx_file_fault fault);

/* The place of a path: the granted folder that contains it, and the clean path from there on ("." for the folder itself). */
typedef struct hx_file_place {
  hx_str directory, inside;
} hx_file_place;
/* Finds the place of a path as users write it, in the first granted folder that contains it. */
hx_file_fault hx_file_locate(hx_cx *cx, const hx_host *host, hx_str path, hx_file_place *out);
/* Finds the place of a path for functions that read a ~ at its start as the home directory. */
hx_file_fault hx_file_locate_home(hx_cx *cx, const hx_host *host, hx_str path, hx_file_place *out);

/* Returns FINE if a regular file is at the path `inside` in the folder. */
hx_file_fault hx_file_look(hx_cx *cx, hx_str directory, hx_str inside);
/* Reads the content of the file at the path `inside` in the folder. */
hx_file_fault hx_file_read(hx_cx *cx, hx_str directory, hx_str inside, hx_str *content);
/* Reads a file that no folder confines: the system finds it. A relative path starts at the working directory. */
hx_file_fault hx_file_read_anywhere(hx_cx *cx, hx_str path, hx_str *content);

typedef struct hx_file_entry {
  hx_str name;
  bool folder; /* a folder, or a link to a folder that may be listed */
  bool link;   /* a symbolic link */
} hx_file_entry;
/* Lists the entries of a folder without "." and "..", sorted by name. dev_ino identifies the folder. */
hx_file_fault hx_file_list(hx_cx *cx, hx_str directory, hx_str inside, hx_file_entry **entries, uint32_t *n, uint64_t dev_ino[2]);
/* Lists a folder that no granted folder confines: the system finds it. */
hx_file_fault hx_file_list_anywhere(hx_cx *cx, hx_str path, hx_file_entry **entries, uint32_t *n);

#endif
