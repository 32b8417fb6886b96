/* opcode.h: the machine's instructions: eight bytes each.
** Memory: by value.
** Errors: none. */
#ifndef HX_VM_COMPILE_OPCODE_H
#define HX_VM_COMPILE_OPCODE_H

#include "base/platform.h"

typedef enum hx_code {
#define HX_CODE(id, effect, operand, slow) HX_I_##id,
#include "vm/compile/opcode_list.h"
#undef HX_CODE
  HX_I_COUNT
} hx_code;

typedef enum hx_operand {
  HX_ON_NONE,
  HX_ON_CONST,
  HX_ON_PATH,
  HX_ON_LOOP,
  HX_ON_CODE,
  HX_ON_CALL,
  HX_ON_COUNT,
  HX_ON_STEP,
  HX_ON_TEMPLATE,
  HX_ON_SHAPE,
  HX_ON_CHOICE,
} hx_operand;

typedef struct hx_instr {
  uint16_t op; /* hx_code */
  uint16_t a;
  uint32_t b;
} hx_instr;

#define HX_VARIES 127

typedef struct hx_code_info {
  const char *name;
  int8_t effect;   /* change of the stack's height, or HX_VARIES */
  uint8_t operand; /* hx_operand */
} hx_code_info;
extern const hx_code_info hx_codes[HX_I_COUNT];

#endif
