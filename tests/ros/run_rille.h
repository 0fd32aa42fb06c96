// SPDX-License-Identifier: Apache-2.0
/// \file
/// Peers that start `rille run` as a process of its own, in a DDS domain of their own, on the
/// loopback.
#ifndef RI_TESTS_RUN_RILLE_H
#define RI_TESTS_RUN_RILLE_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/// Loopback without multicast, as the simulator has it.
#define LOOPBACK_XML                                                                                                   \
    "<CycloneDDS><Domain id=\"any\"><General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces>"       \
    "<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"             \
    "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>"    \
    "</Domain></CycloneDDS>"

/// A domain that other tests at the same time do not have.
static inline int own_domain(void)
{
    return 20 + (int)(getpid() % 180);
}

/// Starts the program with up to 12 more words; the process number.
static inline pid_t start_rille(const char *scene, const char *const *words, int count)
{
    char domain[40], out[80];
    const char *argv[24] = {
        getenv("RILLE") ? getenv("RILLE") : RILLE_PROGRAM, "run", scene, "--set", domain, "--out", out};
    int n = 7;
    snprintf(domain, sizeof domain, "ros.domain=%d", own_domain());
    snprintf(out, sizeof out, "/tmp/rille_ros_%d", (int)getpid());
    for (int i = 0; i < count && n < 23; i++)
        argv[n++] = words[i];
    const pid_t pid = fork();
    if (pid == 0) {
        unsetenv("CYCLONEDDS_URI");
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    return pid;
}

/// Waits for the program; its exit code, -1 if it was killed.
static inline int end_rille(pid_t pid, int signal_number)
{
    int status;
    char command[120];
    if (signal_number)
        kill(pid, signal_number);
    waitpid(pid, &status, 0);
    snprintf(command, sizeof command, "rm -rf /tmp/rille_ros_%d", (int)getpid());
    if (system(command) != 0)
        fprintf(stderr, "%s failed\n", command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
