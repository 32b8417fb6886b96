/* threads.c: several Lua states at once, each in its own thread, all with the same script.   threads COUNT SCRIPT
** The script's argument is the number of its thread. Ends with 1 if one of them raises. */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const char *script;

static void *run(void *number) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  int failed = luaL_loadfile(L, script);
  if (!failed) {
    lua_pushinteger(L, *(int *)number);
    failed = lua_pcall(L, 1, 0, 0);
  }
  if (failed) fprintf(stderr, "thread %d: %s\n", *(int *)number, lua_tostring(L, -1));
  lua_close(L);
  return failed ? number : NULL;
}

int main(int count, char **words) {
  enum { MOST = 64 };
  pthread_t threads[MOST];
  int numbers[MOST], wrong = 0, n = count == 3 ? atoi(words[1]) : 0;
  if (n < 1 || n > MOST) return 2;
  script = words[2];
  for (int i = 0; i < n; i++) {
    numbers[i] = i + 1;
    if (pthread_create(&threads[i], NULL, run, &numbers[i])) return 2;
  }
  for (int i = 0; i < n; i++) {
    void *failed;
    pthread_join(threads[i], &failed);
    wrong |= failed != NULL;
  }
  return wrong;
}
