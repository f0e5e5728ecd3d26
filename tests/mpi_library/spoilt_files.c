/* Program files of which any word may be wrong, and indices of which any byte may: they are refused, or give programs that
 * stay within their buffers. No MPI.
 *
 *     spoilt_files FOLDER_OF_A_SET FOLDER_TO_WRITE_TO */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

static uint64_t state = 1;
static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 33) % below;
}

static int wrong;

/* Whoever spoils a file on purpose puts its digest right. */
static void put_digest(uint32_t* words, uint32_t size) {
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  for (uint32_t i = 6; i < size; ++i) {
    digest = (digest ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
    digest ^= digest >> 29;
  }
  words[4] = (uint32_t)digest;
  words[5] = (uint32_t)(digest >> 32);
}

/* All that an executor relies on. */
static void look_at(const qd_program* program, uint32_t ranks, const char* file) {
  for (uint32_t a = 0; a < program->num_actions; ++a) {
    const qd_action* action = &program->actions[a];
    const int waits = action->kind == QD_WAIT;
    int good =
        action->begin <= action->end && action->end <= (waits ? program->num_waited : program->num_runs);
    for (uint32_t i = action->begin; good && i < action->end; ++i) {
      if (waits) {
        good = program->waited[i] < program->num_requests;
      } else {
        const qd_run* run = &program->runs[i];
        good = run->buffer < QD_BUFFERS && (uint64_t)run->first + run->count <= program->slots[run->buffer];
      }
    }
    if (action->kind <= QD_RECEIVE_REDUCE)
      good &= action->peer < ranks && action->request < program->num_requests &&
              (uint64_t)action->place + (action->end - action->begin > 1 ? action->slots : 0) <=
                  program->landing_slots + UINT64_C(0);
    if (!good && wrong++ < 5) printf("FAILED: %s: action %" PRIu32 " reaches beyond\n", file, a);
  }
}

static void spoil(const char* folder, const char* file, const char* scratch, int times) {
  char path[4096], spoilt[4096];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  snprintf(spoilt, sizeof spoilt, "%s/spoilt.qprog", scratch);
  qd_file opened;
  qd_error error;
  if (!qd_open_file(path, &opened, &error)) {
    printf("FAILED: %s\n", error.text);
    ++wrong;
    return;
  }
  const qd_head head = opened.head;
  uint32_t* good = malloc((size_t)head.words * 4);
  qd_read_words(&opened, 0, head.words, good);
  qd_close_file(&opened);
  for (int t = 0; t < times; ++t) {
    uint32_t* words = malloc((size_t)head.words * 4);
    memcpy(words, good, (size_t)head.words * 4);
    for (int changes = t == 0 ? 0 : 1 + (int)draw(2); changes > 0; --changes) {
      const uint32_t at = 6 + draw(head.words - 6);
      words[at] = draw(2) ? draw(9) : draw(2) ? words[at] ^ 1U << draw(32) : UINT32_MAX - draw(3);
    }
    put_digest(words, head.words);
    if (t > 0 && draw(4) == 0) words[2] = 1 + draw(3); /* no digest is of the version */
    FILE* out = fopen(spoilt, "wb");
    fwrite(words, 4, head.words, out);
    fclose(out);
    free(words);
    if (!qd_open_file(spoilt, &opened, &error)) continue;
    const qd_head other = opened.head;
    int* reversed = malloc(other.ranks * sizeof *reversed);
    for (uint32_t r = 0; r < other.ranks; ++r) reversed[r] = (int)(other.ranks - 1 - r);
    for (uint32_t r = 0; r < 2 * other.ranks; ++r) {
      const uint32_t length = qd_part_length(&opened, r / 2);
      if (length == 0) continue;
      /* Its own piece of memory: what reads beyond is seen by sanitizers. */
      uint32_t* part = malloc((size_t)length * 4);
      qd_read_part(&opened, r / 2, length, part);
      const int* rank_at = r % 2 ? reversed : NULL;
      uint32_t endpoint = r / 2;
      int* to = NULL;
      if (other.generators > 0) {
        uint32_t* ways = malloc((size_t)qd_ways_length(&other) * 4);
        qd_read_words(&opened, other.table + QD_WAYS_AT, qd_ways_length(&other), ways);
        to = malloc(other.ranks * sizeof *to);
        const int leads = qd_translate(ways, &other, endpoint, rank_at, to);
        free(ways);
        if (!leads && t == 0) {
          printf("FAILED: %s: no way to %" PRIu32 "\n", path, endpoint);
          ++wrong;
        }
        if (!leads) {
          free(part);
          free(to);
          continue;
        }
        rank_at = to;
        endpoint = 0;
      }
      qd_program program;
      if (qd_load_program(part, length, &other, endpoint, rank_at, &program, &error)) {
        look_at(&program, other.ranks, file);
        qd_free_program(&program);
      } else if (t == 0) {
        printf("FAILED: %s: %s\n", path, error.text);
        ++wrong;
      }
      free(part);
      free(to);
    }
    free(reversed);
    qd_close_file(&opened);
  }
  free(good);
}

static void spoil_index(const char* folder, const char* scratch) {
  char path[4096];
  snprintf(path, sizeof path, "%s/programs.txt", folder);
  char text[65536];
  FILE* in = fopen(path, "rb");
  const size_t size = fread(text, 1, sizeof text, in);
  fclose(in);
  snprintf(path, sizeof path, "%s/programs.txt", scratch);
  for (int t = 0; t < 200; ++t) {
    const size_t at = draw((uint32_t)size);
    const char before = text[at];
    text[at] = (char)(draw(3) ? 32 + draw(95) : draw(256));
    FILE* out = fopen(path, "wb");
    fwrite(text, 1, draw(4) ? size : draw((uint32_t)size), out);
    fclose(out);
    text[at] = before;
    qd_set set;
    qd_error error;
    if (!qd_read_set(scratch, &set, &error)) continue;
    for (uint32_t e = 0; e < set.num_entries; ++e) {
      if (strchr(set.entries[e].file, '/') != NULL || set.entries[e].collective >= QD_COLLECTIVES) {
        printf("FAILED: an index leads out of its folder\n");
        ++wrong;
      }
    }
    qd_free_set(&set);
  }
  remove(path);
}

/* The form for people is not for the library, which says who makes the other of it. */
static void read_json(const char* folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/spoilt.json", folder);
  FILE* file = fopen(path, "w");
  if (file == NULL) return;
  fputs("  {\"format\": \"quadrille-program\"}", file);
  fclose(file);
  qd_file read;
  qd_error error = {""};
  if (qd_open_file(path, &read, &error) ||
      strstr(error.text, "'quadrille program FILE.json -o FILE.qprog'") == NULL) {
    printf("FAILED: JSON: %s\n", error.text);
    ++wrong;
  }
  remove(path);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  qd_set set;
  qd_error error;
  if (!qd_read_set(argv[1], &set, &error)) {
    printf("%s\n", error.text);
    return 1;
  }
  for (uint32_t e = 0; e < set.num_entries; ++e) spoil(argv[1], set.entries[e].file, argv[2], 12);
  qd_free_set(&set);
  spoil_index(argv[1], argv[2]);
  read_json(argv[2]);
  printf(wrong == 0 ? "all right\n" : "something is wrong\n");
  return wrong != 0;
}
