/* SPDX-License-Identifier: Apache-2.0 */
/* Systems with POSIX, then Windows, then what is the same on all. Last in the amalgamated file,
 * since windows.h defines words such as near and far. */
#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#if !defined(_WIN32)

#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- POSIX: memory ---- */

void dlf__prefer_huge_pages(void *memory, size_t size) {
#if defined(MADV_HUGEPAGE)
  enum { LEAST = 4 << 20, PAGE = 4096 };
  const uintptr_t skipped = -(uintptr_t)memory & (PAGE - 1);
  if (size >= LEAST) { /* a refusal changes nothing */
    (void)madvise((char *)memory + skipped, size - skipped, MADV_HUGEPAGE);
  }
#else
  (void)memory;
  (void)size;
#endif
}

/* ---- POSIX: libraries ---- */

#if defined(__GLIBC__)
/* Before version 2.34 glibc has these in libdl: a program that does not link it gets NULL. Other C
 * libraries have them, and in a static one a weak name would not be found. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlclose
#pragma weak dlerror

bool dlf__can_load(void) {
  return dlopen && dlsym && dlclose && dlerror;
}
#else
/* A static program of musl has these, and all they do is fail. */
bool dlf__can_load(void) {
  return dlopen(NULL, RTLD_NOW) != NULL;
}
#endif

void *dlf__load(const char *path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

const char *dlf__load_failure(char *buffer, size_t room) {
  const char *why = dlerror();
  snprintf(buffer, room, "no reason from dlopen");
  if (why) {
    return why;
  }
  return buffer;
}

void *dlf__find_symbol(void *library, const char *name) {
  return dlsym(library, name);
}

void dlf__unload(void *library) {
  dlclose(library);
}

/* ---- POSIX: threads ---- */

void dlf__yield(void) {
  (void)sched_yield();
}

static void *run_thread(void *context) {
  const dlf__thread *self = context;
  self->run(self->context);
  return NULL;
}

bool dlf__thread_start(dlf__thread *thread, void (*run)(void *context), void *context) {
  sigset_t blocked, before;
  thread->run = run;
  thread->context = context;
  sigfillset(&blocked); /* but for those that an instruction of the thread itself raises */
  sigdelset(&blocked, SIGSEGV);
  sigdelset(&blocked, SIGBUS);
  sigdelset(&blocked, SIGFPE);
  sigdelset(&blocked, SIGILL);
  if (pthread_sigmask(SIG_SETMASK, &blocked, &before) != 0) {
    return false;
  }
  const bool started = pthread_create(&thread->handle, NULL, run_thread, thread) == 0;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

void dlf__thread_join(dlf__thread *thread) {
  int before;
  (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  (void)pthread_join(thread->handle, NULL);
  (void)pthread_setcancelstate(before, &before);
}

#if !defined(DLF_NO_CONTRACT)

bool dlf__mutex_make(dlf__mutex *mutex) {
  return pthread_mutex_init(mutex, NULL) == 0;
}

void dlf__mutex_make_recursive(dlf__mutex *mutex) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(mutex, &kind);
  pthread_mutexattr_destroy(&kind);
}

void dlf__mutex_free(dlf__mutex *mutex) {
  pthread_mutex_destroy(mutex);
}

void dlf__mutex_lock(dlf__mutex *mutex) {
  pthread_mutex_lock(mutex);
}

bool dlf__mutex_try(dlf__mutex *mutex) {
  return pthread_mutex_trylock(mutex) == 0;
}

void dlf__mutex_unlock(dlf__mutex *mutex) {
  pthread_mutex_unlock(mutex);
}

void dlf__condition_wait(dlf__condition *condition, dlf__mutex *mutex) {
  pthread_cond_wait(condition, mutex);
}

void dlf__condition_wake_one(dlf__condition *condition) {
  pthread_cond_signal(condition);
}

void dlf__condition_free(dlf__condition *condition) {
  pthread_cond_destroy(condition);
}

void dlf__run_once(dlf__once *once, void (*run)(void)) {
  pthread_once(once, run);
}

void dlf__at_fork(void (*before)(void), void (*parent)(void), void (*child)(void)) {
  pthread_atfork(before, parent, child);
}

#endif

/* ---- POSIX: files ---- */

#if !defined(DLF_NO_FILES)

typedef struct stat platform_stat;

static bool is_separator(char c) {
  return c == '/';
}

static bool is_plain(const char *path, platform_stat *about, bool *exists) {
  *exists = stat(path, about) == 0;
  return !*exists || S_ISREG(about->st_mode);
}

static int open_to_read(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static int create_new(const char *path, bool is_private) {
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, is_private ? 0600 : 0666);
}

static int map_opened(int file, char **memory, size_t *size) {
  struct stat about;
  if (fstat(file, &about) != 0) {
    return errno;
  }
  if (!S_ISREG(about.st_mode) || about.st_size == 0) {
    return DLF__NOT_PLAIN;
  }
  if ((uint64_t)about.st_size > PTRDIFF_MAX) { /* a size_t of 32 bits would map a part of it */
    return EFBIG;
  }
  void *mapped = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (mapped == MAP_FAILED) {
    return errno;
  }
  *memory = mapped;
  *size = (size_t)about.st_size;
  return 0;
}

void dlf__unmap_file(void *memory, size_t size) {
  munmap(memory, size);
}

static int64_t write_some(int file, const void *data, int64_t size) {
  return write(file, data, (size_t)size);
}

static int close_file(int file) {
  return close(file);
}

/* Give the file the mode of the one that it replaces; remove the group's rights if it cannot have
 * that group. */
static int keep_mode(int file, const platform_stat *old) {
  struct stat made;
  mode_t mode = old->st_mode & 0777;
  if (fstat(file, &made) != 0) {
    return errno;
  }
  if (made.st_gid != old->st_gid && fchown(file, (uid_t)-1, old->st_gid) != 0) {
    mode &= ~(mode_t)070;
  }
  if (fchmod(file, mode) != 0) {
    return errno;
  }
  return 0;
}

static int rename_over(const char *from, const char *to) {
  if (rename(from, to) != 0) {
    return errno;
  }
  return 0;
}

static void remove_file(const char *path) {
  unlink(path);
}

static long process_number(void) {
  return (long)getpid();
}

void dlf__error_text(int number, char *buffer, size_t room) {
  if (strerror_r(number, buffer, room) != 0) {
    snprintf(buffer, room, "error %d", number);
  }
}

#endif

#else /* Windows */

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <io.h>
#include <process.h>
#include <psapi.h>

enum { WIDE = 1024 };

/* Names come as UTF-8, from every language. */
static bool widen(const char *path, wchar_t *wide) {
  errno = EINVAL; /* no UTF-8, or too long */
  return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, WIDE) > 0;
}

/* ---- Windows: memory ---- */

void dlf__prefer_huge_pages(void *memory, size_t size) {
  (void)memory;
  (void)size;
}

/* ---- Windows: libraries ---- */

bool dlf__can_load(void) {
  return true;
}

void *dlf__load(const char *path) {
  wchar_t wide[WIDE];
  if (!path) {
    return GetModuleHandleW(NULL);
  }
  if (!widen(path, wide)) {
    SetLastError(ERROR_INVALID_NAME);
    return NULL;
  }
  for (wchar_t *c = wide; *c; c++) { /* the only call here that wants backslashes */
    if (*c == '/') {
      *c = '\\';
    }
  }
  return LoadLibraryW(wide);
}

const char *dlf__load_failure(char *buffer, size_t room) {
  const DWORD number = GetLastError();
  const DWORD flags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
  if (!FormatMessageA(flags, NULL, number, 0, buffer, (DWORD)room, NULL)) {
    snprintf(buffer, room, "error %lu", (unsigned long)number);
  }
  buffer[strcspn(buffer, "\r\n")] = '\0';
  return buffer;
}

static void *find_in(HMODULE module, const char *name) {
  const FARPROC found = GetProcAddress(module, name);
  void *address;
  memcpy(&address, &found, sizeof address);
  return address;
}

void *dlf__find_symbol(void *library, const char *name) {
  enum { MODULES = 1024 };
  HMODULE modules[MODULES];
  DWORD bytes = 0;
  if (library != (void *)GetModuleHandleW(NULL)) {
    return find_in(library, name);
  }
  /* The program's handle stands for all the process, whose names Windows keeps by module. */
  if (!K32EnumProcessModules(GetCurrentProcess(), modules, sizeof modules, &bytes)) {
    return NULL;
  }
  void *found = NULL;
  for (DWORD i = 0; i < MODULES && i < bytes / sizeof *modules && !found; i++) {
    found = find_in(modules[i], name);
  }
  return found;
}

void dlf__unload(void *library) {
  if (library != (void *)GetModuleHandleW(NULL)) {
    FreeLibrary(library);
  }
}

/* ---- Windows: threads ---- */

void dlf__yield(void) {
  (void)SwitchToThread();
}

static DWORD WINAPI run_thread(void *context) {
  const dlf__thread *self = context;
  self->run(self->context);
  return 0;
}

bool dlf__thread_start(dlf__thread *thread, void (*run)(void *context), void *context) {
  thread->run = run;
  thread->context = context;
  thread->handle = CreateThread(NULL, 0, run_thread, thread, 0, NULL);
  return thread->handle != NULL;
}

void dlf__thread_join(dlf__thread *thread) {
  (void)WaitForSingleObject(thread->handle, INFINITE);
  (void)CloseHandle(thread->handle);
}

#if !defined(DLF_NO_CONTRACT)

_Static_assert(sizeof(CRITICAL_SECTION) <= sizeof(dlf__mutex), "platform.h gives it room");
_Static_assert(sizeof(CONDITION_VARIABLE) == sizeof(dlf__condition), "platform.h gives it room");
_Static_assert(sizeof(INIT_ONCE) == sizeof(dlf__once), "platform.h gives it room");

bool dlf__mutex_make(dlf__mutex *mutex) {
  InitializeCriticalSection((CRITICAL_SECTION *)mutex);
  return true;
}

void dlf__mutex_make_recursive(dlf__mutex *mutex) {
  (void)dlf__mutex_make(mutex); /* they all are */
}

void dlf__mutex_free(dlf__mutex *mutex) {
  DeleteCriticalSection((CRITICAL_SECTION *)mutex);
}

void dlf__mutex_lock(dlf__mutex *mutex) {
  EnterCriticalSection((CRITICAL_SECTION *)mutex);
}

bool dlf__mutex_try(dlf__mutex *mutex) {
  return TryEnterCriticalSection((CRITICAL_SECTION *)mutex);
}

void dlf__mutex_unlock(dlf__mutex *mutex) {
  LeaveCriticalSection((CRITICAL_SECTION *)mutex);
}

void dlf__condition_wait(dlf__condition *condition, dlf__mutex *mutex) {
  SleepConditionVariableCS((CONDITION_VARIABLE *)condition, (CRITICAL_SECTION *)mutex, INFINITE);
}

void dlf__condition_wake_one(dlf__condition *condition) {
  WakeConditionVariable((CONDITION_VARIABLE *)condition);
}

void dlf__condition_free(dlf__condition *condition) {
  (void)condition;
}

typedef struct once_work {
  void (*run)(void);
} once_work;

static BOOL CALLBACK run_work(INIT_ONCE *once, void *work, void **out) {
  (void)once;
  (void)out;
  ((once_work *)work)->run();
  return TRUE;
}

void dlf__run_once(dlf__once *once, void (*run)(void)) {
  once_work work = {run};
  InitOnceExecuteOnce((INIT_ONCE *)once, run_work, &work, NULL);
}

void dlf__at_fork(void (*before)(void), void (*parent)(void), void (*child)(void)) {
  (void)before;
  (void)parent;
  (void)child;
}

uintptr_t dlf__this_thread(void) {
  return GetCurrentThreadId();
}

#endif

/* ---- Windows: files ---- */

#if !defined(DLF_NO_FILES)

typedef struct __stat64 platform_stat;

static bool is_separator(char c) {
  return c == '/' || c == '\\' || c == ':';
}

static bool is_plain(const char *path, platform_stat *about, bool *exists) {
  wchar_t wide[WIDE];
  *exists = widen(path, wide) && _wstat64(wide, about) == 0;
  return !*exists || (about->st_mode & _S_IFMT) == _S_IFREG;
}

static int open_to_read(const char *path) {
  wchar_t wide[WIDE];
  if (!widen(path, wide)) {
    return -1;
  }
  return _wopen(wide, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

/* A new file has the rights that its folder gives, whether it replaces another or not. */
static int create_new(const char *path, bool is_private) {
  enum { NEW = _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT };
  wchar_t wide[WIDE];
  (void)is_private;
  if (!widen(path, wide)) {
    return -1;
  }
  return _wopen(wide, NEW, _S_IREAD | _S_IWRITE);
}

static int map_opened(int file, char **memory, size_t *size) {
  const HANDLE handle = (HANDLE)_get_osfhandle(file);
  const int64_t length = _filelengthi64(file);
  if (GetFileType(handle) != FILE_TYPE_DISK || length == 0) {
    return DLF__NOT_PLAIN;
  }
  if (length < 0 || length > PTRDIFF_MAX) {
    return EFBIG;
  }
  const HANDLE section = CreateFileMappingW(handle, NULL, PAGE_READONLY, 0, 0, NULL);
  if (!section) {
    return EACCES;
  }
  *memory = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
  *size = (size_t)length;
  CloseHandle(section); /* the view keeps it */
  if (!*memory) {
    return ENOMEM;
  }
  return 0;
}

void dlf__unmap_file(void *memory, size_t size) {
  (void)size;
  UnmapViewOfFile(memory);
}

static int64_t write_some(int file, const void *data, int64_t size) {
  return _write(file, data, (unsigned)size);
}

static int close_file(int file) {
  return _close(file);
}

static int keep_mode(int file, const platform_stat *old) {
  (void)file;
  (void)old;
  return 0;
}

static int rename_over(const char *from, const char *to) {
  wchar_t wide_from[WIDE];
  wchar_t wide_to[WIDE];
  if (!widen(from, wide_from) || !widen(to, wide_to)) {
    return EINVAL;
  }
  if (!MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING)) {
    return EACCES; /* a tensor may still show the old file */
  }
  return 0;
}

static void remove_file(const char *path) {
  wchar_t wide[WIDE];
  if (widen(path, wide)) {
    _wunlink(wide);
  }
}

static long process_number(void) {
  return _getpid();
}

void dlf__error_text(int number, char *buffer, size_t room) {
  if (strerror_s(buffer, room, number) != 0) {
    snprintf(buffer, room, "error %d", number);
  }
}

#endif
#endif /* Windows */

/* ---- files, on all systems ---- */

#if !defined(DLF_NO_FILES)

int dlf__map_file(const char *path, char **memory, size_t *size) {
  platform_stat about;
  bool exists;
  /* Check before and again after, since the file may change. */
  if (!is_plain(path, &about, &exists)) {
    return DLF__NOT_PLAIN;
  }
  const int file = open_to_read(path);
  if (file < 0) {
    return errno;
  }
  const int number = map_opened(file, memory, size);
  close_file(file); /* the mapping stays valid */
  return number;
}

/* Create a file with an unused name in the folder of path, never through a link. part has room for
 * the name and gets it. */
static int create_beside(const char *path, char *part, size_t room, bool is_private) {
  enum { ATTEMPTS = 1000 };
  static _Atomic uint32_t number;
  int folder = (int)strlen(path);
  while (folder > 0 && !is_separator(path[folder - 1])) {
    folder--;
  }
  int file = -1;
  for (int i = 0; i < ATTEMPTS && file < 0; i++) {
    snprintf(part,
             room,
             "%.*s.dlferry-%ld-%" PRIu32 ".part",
             folder,
             path,
             process_number(),
             atomic_fetch_add_explicit(&number, 1, memory_order_relaxed));
    file = create_new(part, is_private);
    if (file < 0 && errno != EEXIST) {
      break;
    }
  }
  return file;
}

/* Write all; returns 0 or errno. */
static int write_all(int file, dlf__bytes bytes) {
  enum { AT_MOST = 1 << 30 }; /* every system accepts this much at once */
  const char *at = bytes.data;
  while (bytes.size > 0) {
    const int64_t done = write_some(file, at, bytes.size < AT_MOST ? bytes.size : AT_MOST);
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done < 0) {
      return errno;
    }
    if (done == 0) {
      return EIO;
    }
    at += done;
    bytes.size -= done;
  }
  return 0;
}

int dlf__replace_file(const char *path, const dlf__bytes *pieces, int count) {
  platform_stat old;
  bool exists;
  if (!is_plain(path, &old, &exists)) {
    return DLF__NOT_PLAIN;
  }
  const size_t room = strlen(path) + 64;
  char *part = malloc(room);
  if (!part) {
    return DLF__NO_ROOM;
  }
  const int file = create_beside(path, part, room, exists);
  int number = 0;
  if (file < 0) {
    number = errno;
  } else {
    for (int i = 0; i < count && !number; i++) {
      number = write_all(file, pieces[i]);
    }
    if (!number && exists) {
      number = keep_mode(file, &old);
    }
    if (close_file(file) != 0 && !number) {
      number = errno;
    }
    if (!number) {
      number = rename_over(part, path);
    }
    if (number) {
      remove_file(part);
    }
  }
  free(part);
  return number;
}

#endif
