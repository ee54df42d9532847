/* Calls that fail: a library to be loaded before all others (LD_PRELOAD).

   Of the calls that write to files below a folder, the n-th fails, and, where it is
   said, all that follow: a disk that is full, or broken. Of the requests for memory that
   libsqlite3 makes, likewise. Counting begins with fault_arm. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char folder[PATH_MAX];
static long wanted = 0, counted = 0;
static int error_number = 0, lasting = 0, of_memory = 0;
static __thread int inside = 0;
static unsigned long sqlite_start = 0, sqlite_end = 0;

static int find_sqlite(struct dl_phdr_info *info, size_t size, void *unused)
{
    if (!strstr(info->dlpi_name, "sqlite3"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X)) {
            sqlite_start = info->dlpi_addr + part->p_vaddr;
            sqlite_end = sqlite_start + part->p_memsz;
        }
    }
    return strstr(info->dlpi_name, "libsqlite3") != NULL;
}

/* Returns whether the library of SQLite was found. */
int fault_arm(const char *below, long n, int number, int lasts, int memory)
{
    snprintf(folder, sizeof folder, "%s", below);
    dl_iterate_phdr(find_sqlite, NULL);
    counted = 0;
    error_number = number;
    lasting = lasts;
    of_memory = memory;
    wanted = n;
    return sqlite_end > 0;
}

/* Returns how many calls were counted, and ends the counting. */
long fault_disarm(void)
{
    wanted = 0;
    return counted;
}

static int is_due(void)
{
    counted++;
    return counted == wanted || (lasting && counted > wanted);
}

static int file_fails(int file)
{
    char link[64], name[PATH_MAX];
    ssize_t length;
    if (!wanted || of_memory || inside)
        return 0;
    int kept = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, name, sizeof name - 1);
    errno = kept;
    if (length < 0)
        return 0;
    name[length] = 0;
    if (strncmp(name, folder, strlen(folder)) || !is_due())
        return 0;
    errno = error_number;
    return 1;
}

static int memory_fails(unsigned long caller)
{
    if (!wanted || !of_memory || caller < sqlite_start || caller >= sqlite_end)
        return 0;
    if (!is_due())
        return 0;
    errno = ENOMEM;
    return 1;
}

#define ORIGINAL(name)                                                               \
    static __typeof__(&name) original = NULL;                                        \
    if (!original) {                                                                 \
        inside = 1;                                                                  \
        original = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                       \
        inside = 0;                                                                  \
    }

ssize_t write(int file, const void *bytes, size_t size)
{
    ORIGINAL(write)
    return file_fails(file) ? -1 : original(file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place)
{
    ORIGINAL(pwrite)
    return file_fails(file) ? -1 : original(file, bytes, size, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t place)
{
    ORIGINAL(pwrite64)
    return file_fails(file) ? -1 : original(file, bytes, size, place);
}

int ftruncate(int file, off_t size)
{
    ORIGINAL(ftruncate)
    return file_fails(file) ? -1 : original(file, size);
}

int ftruncate64(int file, off64_t size)
{
    ORIGINAL(ftruncate64)
    return file_fails(file) ? -1 : original(file, size);
}

int fsync(int file)
{
    ORIGINAL(fsync)
    return file_fails(file) ? -1 : original(file);
}

int fdatasync(int file)
{
    ORIGINAL(fdatasync)
    return file_fails(file) ? -1 : original(file);
}

/* The real ones of the C library, which dlsym itself may need before it can answer. */
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    if (memory_fails((unsigned long)__builtin_return_address(0)))
        return NULL;
    return __libc_malloc(size);
}

void *realloc(void *old, size_t size)
{
    if (memory_fails((unsigned long)__builtin_return_address(0)))
        return NULL;
    return __libc_realloc(old, size);
}
