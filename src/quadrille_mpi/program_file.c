/* Program files: looked through once when they are opened, and read part by part. A set for many ranks may have files of hundreds of
 * megabytes, and whoever reads one for all ranks needs to hold no more than one rank's part. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

/* In place: the least byte first, whatever this machine does. */
static void as_words(uint32_t* words, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    unsigned char at[4];
    memcpy(at, words + i, sizeof at);
    words[i] = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  }
}

int qd_read_words(const qd_file* file, uint64_t begin, uint64_t count, uint32_t* words) {
  if (begin + count > file->head.words || fseeko(file->stream, (off_t)(begin * 4), SEEK_SET) != 0 ||
      fread(words, 4, (size_t)count, file->stream) != count)
    return 0;
  as_words(words, (size_t)count);
  return 1;
}

/* --- opening ---------------------------------------------------------------------------------------------- */

static int is_program(const char* path, FILE* stream, qd_error* error) {
  char start[512] = "";
  const size_t have = fread(start, 1, sizeof start - 1, stream);
  if (have >= 8 && memcmp(start, "quadprog", 8) == 0) return 1;
  return qd_fail(error,
                 start[strspn(start, " \t\r\n")] == '{'
                     ? "%s: a program file as JSON; this library reads the other form, which 'quadrille "
                       "program FILE.json -o FILE.qprog' makes of it"
                     : "%s: no program file: it does not begin with 'quadprog'",
                 path);
}

/* Of all words that the digest is of. */
static int read_digest(const qd_file* file, uint64_t* digest) {
  enum { AT_ONCE = 1 << 16 };
  uint32_t* words = malloc(AT_ONCE * sizeof *words);
  int good = words != NULL;
  *digest = UINT64_C(0xcbf29ce484222325);
  for (uint64_t at = 6; at < file->head.words && good; at += AT_ONCE) {
    const uint64_t left = file->head.words - at;
    const uint64_t now = left < AT_ONCE ? left : AT_ONCE;
    good = qd_read_words(file, at, now, words);
    for (uint64_t i = 0; i < now && good; ++i) {
      *digest = (*digest ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
      *digest ^= *digest >> 29;
    }
  }
  free(words);
  return good;
}

static int read_head(const char* path, qd_file* file, qd_error* error) {
  qd_head* head = &file->head;
  uint32_t words[QD_HEAD_WORDS];
  if (fseeko(file->stream, 0, SEEK_END) != 0)
    return qd_fail(error, "cannot read '%s': %s", path, strerror(errno));
  const uint64_t size = (uint64_t)ftello(file->stream);
  if (size < QD_HEAD_WORDS * 4 || size % 4 != 0)
    return qd_fail(error, "%s: damaged: it has %" PRIu64 " bytes", path, size);
  head->words = QD_HEAD_WORDS;
  if (!qd_read_words(file, 0, QD_HEAD_WORDS, words))
    return qd_fail(error, "cannot read '%s': %s", path, strerror(EIO));
  if (words[2] < 1 || words[2] > 3)
    return qd_fail(error, "%s: a program file of version %" PRIu32 "; this library reads versions 1 to 3",
                   path, words[2]);
  if (size / 4 != words[3])
    return qd_fail(error, "%s: damaged: it has %" PRIu64 " bytes and should have %" PRIu64, path, size,
                   (uint64_t)words[3] * 4);
  *head = (qd_head){.words = words[3],
                    .digest = (uint64_t)words[5] << 32 | words[4],
                    .collective = words[6],
                    .ranks = words[7],
                    .pieces = words[8],
                    .root = words[9],
                    .in_order = words[10] & 1,
                    .deals_out = words[2] == 3,
                    .table = words[15]};
  uint64_t found;
  if (!read_digest(file, &found)) return qd_fail(error, "cannot read '%s': %s", path, strerror(EIO));
  if (found != head->digest)
    return qd_fail(error, "%s: damaged: its digest is %016" PRIx64 " and should be %016" PRIx64, path, found,
                   head->digest);
  const int has_one = words[2] >= 2;
  if (has_one && (uint64_t)head->table + QD_WAYS_AT <= head->words)
    qd_read_words(file, head->table + 2, 1, &head->generators);
  const uint64_t table = has_one ? QD_WAYS_AT - 1 + qd_ways_length(head) : head->ranks;
  if (head->collective >= QD_COLLECTIVES || head->ranks == 0 || head->pieces == 0 ||
      head->ranks > INT32_MAX || (uint64_t)head->table + table >= head->words ||
      (has_one && (head->generators == 0 || head->in_order || qd_is_rooted((int)head->collective))) ||
      (head->deals_out && (head->collective != QD_ALLREDUCE || head->pieces % head->ranks != 0)) ||
      qd_is_rooted((int)head->collective) != (head->root < head->ranks))
    return qd_fail(error, "%s: damaged: its head makes no sense", path);
  return 1;
}

int qd_open_file(const char* path, qd_file* file, qd_error* error) {
  memset(file, 0, sizeof *file);
  file->stream = fopen(path, "rb");
  if (file->stream == NULL) return qd_fail(error, "cannot read '%s': %s", path, strerror(errno));
  int good = is_program(path, file->stream, error) && read_head(path, file, error);
  if (good) {
    const size_t entries = file->head.generators > 0 ? 2 : (size_t)file->head.ranks + 1;
    file->table = malloc(entries * sizeof *file->table);
    good = (file->table != NULL || qd_fail(error, "no memory for '%s'", path)) &&
           (qd_read_words(file, file->head.table, entries, file->table) ||
            qd_fail(error, "cannot read '%s': %s", path, strerror(EIO)));
  }
  if (!good) qd_close_file(file);
  return good;
}

void qd_close_file(qd_file* file) {
  if (file->stream != NULL) fclose(file->stream);
  free(file->table);
  file->stream = NULL;
  file->table = NULL;
}

/* --- parts ------------------------------------------------------------------------------------------------ */

uint32_t qd_part_length(const qd_file* file, uint32_t rank) {
  const int has_one = file->head.generators > 0;
  const uint32_t begin = file->table[has_one ? 0 : rank];
  const uint32_t end = file->table[has_one ? 1 : rank + 1];
  uint32_t part[QD_PART_WORDS];
  if (begin > end || end > file->head.words || end - begin < QD_PART_WORDS ||
      !qd_read_words(file, begin, QD_PART_WORDS, part))
    return 0;
  const uint64_t length = QD_PART_WORDS + 4 * (uint64_t)part[4] + 3 * (uint64_t)part[5] + part[6];
  return part[0] == (has_one ? 0 : rank) && length + part[7] == end - begin ? (uint32_t)length : 0;
}

int qd_read_part(const qd_file* file, uint32_t rank, uint32_t length, uint32_t* words) {
  return qd_read_words(file, file->table[file->head.generators > 0 ? 0 : rank], length, words);
}
