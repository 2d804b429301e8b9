/* A bot that plays any legal action. Change `act`, and it is yours.
 *
 * The referee writes one JSON object a line to the bot's stdin and reads the answers from its
 * stdout; what the bot writes to stderr goes to its log. This bot reads of a line only what it
 * needs. For the view take a JSON library: the rules of the game say what is in it.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ACTIONS = 4096, TABLES = 1024 };

/* By the table's number: several games can be under way. */
static uint64_t dice[TABLES];

/* Dice that fall the same way whenever the same game is played again (a linear congruence). */
static unsigned roll(long table, unsigned sides) {
    uint64_t *state = &dice[table % TABLES];
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % sides;
}

/* Return the number of one of the legal actions. */
static int act(long table, char **legal, int actions) {
    (void)legal;
    return (int)roll(table, (unsigned)actions);
}

/* Return what follows the last `name` in the line: the fields of a message come last. */
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
    char *legal[MOST_ACTIONS];
    int actions = 0;
    char *at = after(line, "\"legal\":[\"");
    if (!at) return;
    while (actions < MOST_ACTIONS) { /* actions are plain words: no quotes in them */
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
        else if (is(line, "start")) dice[number(line, "\"table\":") % TABLES] = (uint64_t)number(line, "\"seed\":");
        else if (is(line, "turn")) answer(line);
        else if (is(line, "bye")) break;
    }
    free(line);
    return 0;
}
