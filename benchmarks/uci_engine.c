/* The least that is a UCI engine, for peers.py: always the same first move. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[1 << 12];
    setvbuf(stdout, NULL, _IOLBF, 1 << 12);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "go", 2))
            puts("bestmove e2e4");
        else if (!strncmp(line, "isready", 7))
            puts("readyok");
        else if (!strncmp(line, "uci\n", 4))
            puts("id name first move\nuciok");
        else if (!strncmp(line, "quit", 4))
            break;
    }
    return 0;
}
