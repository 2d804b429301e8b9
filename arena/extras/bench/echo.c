/* The other end of `arena bench`, as quick as a program can be.
 *
 *   bench echo      answers each line with 40 bytes
 *   bench DETAIL    a bot that wants so much of its views and takes the first legal action
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 1 << 20 };
static char in[LINE + 1], out[1 << 16];

/* Write an answer to a line to `reply` and return its length; 0 when there is none. */
static int answer(const char *line, const char *mode, char *reply)
{
    if (!strcmp(mode, "echo"))
        return sprintf(reply, "%039d\n", 0);
    if (strstr(line, "\"type\":\"hello\""))
        return sprintf(reply, "{\"type\":\"ready\",\"protocol\":1,\"detail\":\"%s\"}\n", mode);
    if (strncmp(line, "{\"type\":\"turn\",\"table\":", 23))
        return 0;
    const char *turn = strstr(line, "\"turn\":"), *legal = strstr(line, "\"legal\":[\"");
    if (!turn || !legal)
        exit(1);
    legal += 10;
    return sprintf(reply, "{\"type\":\"act\",\"table\":%d,\"turn\":%d,\"action\":\"%.*s\"}\n",
                   atoi(line + 23), atoi(turn + 7), (int)strcspn(legal, "\""), legal);
}

int main(int argc, char **argv)
{
    size_t held = 0;
    ssize_t got;
    if (argc != 2)
        return 2;
    while ((got = read(0, in + held, LINE - held)) > 0) {
        char *line = in, *end;
        size_t ready = 0;
        held += got;
        while ((end = memchr(line, '\n', in + held - line))) {
            *end = 0;
            if (ready > sizeof out - 1024) {
                if (write(1, out, ready) < 0)
                    return 1;
                ready = 0;
            }
            ready += answer(line, argv[1], out + ready);
            line = end + 1;
        }
        held -= line - in;
        memmove(in, line, held);
        if (ready && write(1, out, ready) < 0)
            return 1;
    }
    return 0;
}
