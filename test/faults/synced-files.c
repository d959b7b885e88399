/*
 * To be preloaded into a process: copies a file of the folder SYNCED_FROM to the same path of the folder SYNCED_TO each time the process
 * syncs it, and follows its removals and renamings. After a kill, SYNCED_TO is what a power cut may leave: no write that was not synced.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes the path of the copy; returns 0 for a file that is not followed. */
static int copy_path(const char *path, char *copy) {
  const char *from = getenv("SYNCED_FROM"), *to = getenv("SYNCED_TO");
  if (!from || !to || strncmp(path, from, strlen(from)) != 0) return 0;
  return snprintf(copy, 4096, "%s%s", to, path + strlen(from)) < 4096;
}

static void copy_file(int fd) {
  char link[64], path[4096], copy[4096], parent[4096];
  struct stat state;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return;
  path[length] = 0;
  if (!copy_path(path, copy) || fstat(fd, &state) != 0 || !S_ISREG(state.st_mode)) return;
  strcpy(parent, copy);
  for (char *slash = strchr(parent + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(parent, 0700);
    *slash = '/';
  }
  int source = open(path, O_RDONLY), target = open(copy, O_WRONLY | O_CREAT, 0600);
  if (source >= 0 && target >= 0) {
    off_t from = 0, to = 0;
    while (from < state.st_size && copy_file_range(source, &from, target, &to, state.st_size - from, 0) > 0) continue;
    if (ftruncate(target, state.st_size) != 0) abort();
  }
  if (source >= 0) close(source);
  if (target >= 0) close(target);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int fd) {
  int result = REAL(fsync)(fd);
  if (result == 0) copy_file(fd);
  return result;
}

int fdatasync(int fd) {
  int result = REAL(fdatasync)(fd);
  if (result == 0) copy_file(fd);
  return result;
}

int unlink(const char *path) {
  char copy[4096];
  int result = REAL(unlink)(path);
  if (result == 0 && copy_path(path, copy)) REAL(unlink)(copy);
  return result;
}

int rename(const char *from, const char *to) {
  char from_copy[4096], to_copy[4096];
  int result = REAL(rename)(from, to);
  if (result == 0 && copy_path(from, from_copy) && copy_path(to, to_copy)) REAL(rename)(from_copy, to_copy);
  return result;
}
