/* Runs the test of a case, and counts it: one line of the trace for each run.
 *
 * The candidate is a file of the working folder. Its verdict is looked up by its content, and kept. A shell needs
 * several milliseconds for that. The only argument is a file with one setting a line:
 *
 *     name     the file with the candidate
 *     test     the program that decides about it
 *     verdicts the folder of known verdicts
 *     trace    the file that gets the size, the exit code, whether the candidate is valid, and its hash
 *     show     1: print what the test prints
 *     verify   a command that refuses candidates that are not valid; `$0` is the candidate
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60, LATE = 124, BROKEN = 125 };
enum { VALID = 1, INVALID = 0, UNKNOWN = -1 };

static char name[4096], test[4096], verdicts[4096], trace[4096], show[4096], verify[4096];
static pid_t child;

static void end(int number) {
    (void)number;
    kill(-child, SIGKILL);
}

static void setting(const char *line) {
    static const struct { const char *key; char *value; } all[] = {
        {"name ", name}, {"test ", test}, {"verdicts ", verdicts}, {"trace ", trace}, {"show ", show}, {"verify ", verify},
    };
    for (size_t at = 0; at < sizeof all / sizeof *all; at++)
        if (!strncmp(line, all[at].key, strlen(all[at].key))) {
            snprintf(all[at].value, sizeof name, "%s", line + strlen(all[at].key));
            all[at].value[strcspn(all[at].value, "\n")] = 0;
        }
}

/* Runs a program in a process group of its own, and returns its exit code. */
static int run(char *const words[], const char *output) {
    child = fork();
    if (child < 0) return BROKEN;
    if (child == 0) {
        setpgid(0, 0);
        /* A reducer that is ended leaves no test behind. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!freopen(output, "w", stdout) || dup2(1, 2) < 0) _exit(BROKEN);
        execv(words[0], words);
        _exit(126);
    }
    setpgid(child, child);
    signal(SIGALRM, end);
    alarm(SECONDS);
    int status;
    while (waitpid(child, &status, 0) < 0);
    alarm(0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status) == SIGKILL ? LATE : 128 + WTERMSIG(status);
}

static void print(const char *path) {
    FILE *file = fopen(path, "rb");
    char block[1 << 16];
    for (size_t count; file && (count = fread(block, 1, sizeof block, file)) > 0;) fwrite(block, 1, count, stdout);
    if (file) fclose(file);
    fflush(stdout);
}

int main(int count, char **words) {
    static char line[4096];
    static unsigned char block[1 << 16];
    FILE *settings = count == 2 ? fopen(words[1], "r") : NULL;
    if (!settings) return BROKEN;
    while (fgets(line, sizeof line, settings)) setting(line);
    fclose(settings);
    FILE *input = fopen(name, "rb");
    if (!input) return BROKEN;
    uint64_t a = 14695981039346656037u, b = 88172645463325252u, size = 0;
    for (size_t had; (had = fread(block, 1, sizeof block, input)) > 0; size += had)
        for (size_t at = 0; at < had; at++) {
            a = (a ^ block[at]) * 1099511628211u;
            b = ((b ^ block[at]) + (b << 7)) * 6364136223846793005u;
        }
    fclose(input);
    char known[5000], output[5100], made[5100];
    snprintf(known, sizeof known, "%s/%016llx%016llx", verdicts, (unsigned long long)a, (unsigned long long)b);
    snprintf(output, sizeof output, "%s.out", known);
    int code, valid = UNKNOWN;
    FILE *verdict = fopen(known, "r");
    int is_known = verdict && fscanf(verdict, "%d %d", &code, &valid) == 2;
    if (verdict) fclose(verdict);
    if (!is_known) {
        code = run((char *[]){test, NULL}, *show ? output : "/dev/null");
        if (*verify) valid = run((char *[]){"/bin/sh", "-c", verify, name, NULL}, "/dev/null") ? INVALID : VALID;
        snprintf(made, sizeof made, "%s.%d", known, (int)getpid());
        verdict = fopen(made, "w");
        if (verdict && fprintf(verdict, "%d %d\n", code, valid) > 0 && !fclose(verdict)) rename(made, known);
    }
    if (*show) print(output);
    FILE *counted = fopen(trace, "a");
    if (!counted) return BROKEN;
    fprintf(counted, "%llu %d %d %016llx%016llx\n", (unsigned long long)size, code, valid, (unsigned long long)a, (unsigned long long)b);
    return fclose(counted) ? BROKEN : code;
}
