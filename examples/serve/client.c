// SPDX-License-Identifier: Apache-2.0
/// \file
/// Flight software in a process of its own: client SOCKET. Closes a loop at 1 kHz over the variable
/// server, in frames of doubles.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct Frame { // as on the wire of a little-endian machine
    uint32_t size;
    uint8_t kind, flags;
    uint16_t tag;
    double x[3];
} Frame;

int main(int argc, char **argv)
{
    static const char hello[] = "bind 0 1 hinge_1.command -> hinge_1.position hinge_1.velocity\nbinary\n";
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    Frame out = {.size = 8, .kind = 2}, in = {0};
    char line[64];
    snprintf(at.sun_path, sizeof at.sun_path, "%s", argc > 1 ? argv[1] : "serve.sock");
    const int s = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&at, sizeof at) != 0 || write(s, hello, sizeof hello - 1) < 0 ||
        recv(s, line, strlen("ok 1 in 2 out\nok binary\n"), MSG_WAITALL) < 2 || memcmp(line, "ok", 2) != 0)
        return 1;
    while (in.x[0] < 2.0) { // time, position, velocity
        out.x[0] = -20.0 * in.x[1] - 4.0 * in.x[2];
        if (write(s, &out, 16) != 16 || recv(s, &in, sizeof in, MSG_WAITALL) != sizeof in || in.flags)
            return 1;
    }
    printf("hinge_1 at %.3f rad after %.3f s\n", in.x[1], in.x[0]);
    return 0;
}
