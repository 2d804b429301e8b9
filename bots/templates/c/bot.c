/* A bot that plays a random legal action. Change `act` to make it your own.
 *
 * The referee writes one JSON object per line to the bot's stdin and reads the answers from its
 * stdout. Output on stderr goes to the bot's log. This bot extracts only the fields that it needs.
 * To read the view, use a JSON library; the rules of the game describe its fields.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ACTIONS = 4096, MAX_TABLES = 1024 };

/* The states of the random generators of the games in progress, by table number. */
static uint64_t generators[MAX_TABLES];

/* Return a random number below `limit`. Replaying a game gives the same numbers. */
static unsigned random_below(long table, unsigned limit) {
    uint64_t *state = &generators[table % MAX_TABLES];
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % limit;
}

/* Return the index of one of the legal actions. */
static int act(long table, char **legal, int actions) {
    (void)legal;
    return (int)random_below(table, (unsigned)actions);
}

/* Return the text after the last `name` in the line. The view may contain the same name. */
static char *after(char *line, const char *name) {
    char *found = NULL;
    for (char *at = line; (at = strstr(at, name)); at += strlen(name)) found = at + strlen(name);
    return found;
}

static long number(char *line, const char *name) {
    char *at = strstr(line, name);
    return at ? strtol(at + strlen(name), NULL, 10) : 0;
}

static void answer(char *line) {
    char *legal[MAX_ACTIONS];
    int actions = 0;
    char *at = after(line, "\"legal\":[\"");
    if (!at) return;
    while (actions < MAX_ACTIONS) { /* actions contain no quotes */
        char *end = strchr(at, '"');
        if (!end) return;
        legal[actions++] = at;
        at = end + 1;
        *end = '\0';
        if (*at != ',') break;
        at += 2;
    }
    long table = number(line, "\"table\":"), turn = number(line, "\"turn\":");
    printf("{\"type\":\"act\",\"table\":%ld,\"turn\":%ld,\"action\":\"%s\"}\n", table, turn,
           legal[act(table, legal, actions)]);
}

static int is(const char *line, const char *type) {
    char start[40];
    snprintf(start, sizeof start, "{\"type\":\"%s\"", type);
    return strncmp(line, start, strlen(start)) == 0;
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (getline(&line, &size, stdin) > 0) {
        if (is(line, "hello")) puts("{\"type\":\"ready\",\"protocol\":1}");
        else if (is(line, "start"))
            generators[number(line, "\"table\":") % MAX_TABLES] = (uint64_t)number(line, "\"seed\":");
        else if (is(line, "turn")) answer(line);
        else if (is(line, "bye")) break;
    }
    free(line);
    return 0;
}
