/* plan.h: conversion plans say how values of one type become values of another. A plan is made once and carried out for every value of the
** type.
** Memory: a plan lies in cx->scratch and points at types; the types that it makes live in cx->arena.
** Errors: false if no conversion exists. */
#ifndef HX_VALUE_CONVERT_PLAN_H
#define HX_VALUE_CONVERT_PLAN_H

#include "value/convert/convert.h"

typedef enum hx_plan_op {
  HX_PLAN_AS_IS,      /* to `any`: every value stays what it is */
  HX_PLAN_LATER,      /* from `any`: by the type that the value turns out to have */
  HX_PLAN_TO_STRING,  /* from number or bool */
  HX_PLAN_TO_NUMBER,  /* from string */
  HX_PLAN_TO_BOOL,    /* from string */
  HX_PLAN_OBJECT,     /* object to object */
  HX_PLAN_MAP_OBJECT, /* map to object */
  HX_PLAN_TUPLE,      /* tuple to tuple */
  HX_PLAN_LIST,       /* list or set to list */
  HX_PLAN_SET,        /* list or set to set */
  HX_PLAN_MAP,        /* map to map */
  HX_PLAN_TUPLE_LIST,
  HX_PLAN_TUPLE_SET,
  HX_PLAN_OBJECT_MAP,
} hx_plan_op;

typedef struct hx_plan hx_plan;
struct hx_plan {
  hx_plan_op op;
  bool unsafe;
  const hx_type *in, *out; /* out without `optional` */
  const hx_type *elem;     /* the element type of the result; not NULL if out is a collection */
  const hx_plan *each;     /* for collections: the plan of the elements; NULL: they stay as they are */
  const hx_plan **parts;   /* for each element of a tuple, or attribute of out (to an object) or in (to a map); NULL: no change */
  const bool *impossible;  /* map to object: optional attributes that no element of the map can become; or NULL */
  const hx_shape *shape;   /* to an object: the keys of the results, made when first needed */
};

/* The kinds of conversion. WITH_OPEN: unsafe, and a part of type `any` may be an open object, which can share a collection with other
** objects. */
typedef enum hx_plan_rules { HX_PLAN_SAFE, HX_PLAN_UNSAFE, HX_PLAN_WITH_OPEN } hx_plan_rules;
/* Makes a plan. *plan is NULL if the types are equal, so that values stay as they are. Returns false if no conversion exists. */
bool hx_plan_make(hx_cx *cx, const hx_type *in, const hx_type *out, hx_plan_rules rules, const hx_plan **plan);
/* Returns the type of null and unknown results: `out`, with its `any` parts filled in from `in`, which may be NULL. */
const hx_type *hx_type_fill(hx_cx *cx, const hx_type *in, const hx_type *out);

#endif
