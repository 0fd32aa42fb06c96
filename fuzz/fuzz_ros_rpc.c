// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target of ROS 1's calls: any bytes are a whole HTTP message with XML-RPC in it, or refused;
/// the master answers whatever it is asked.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "link/ros/master.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static RiRosMaster *master;
    static RiRpc x;
    static int calls;
    const RiAllocator memory = ri_plain_memory();
    size_t body = 0, length = 0;
    char word[64], host[64];
    int port;
    long number;
    if (calls++ % 1000 == 0) { // its tables fill
        ri_ros_master_stop(master);
        master = ri_ros_master_start(0, false);
    }
    if (!master)
        abort();
    char *copy = malloc(size + 1); // so that reading beyond the end is seen
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    const RiRpcState state = ri_rpc_http_scan(copy, size, true, &body, &length);
    if (state == RI_RPC_HTTP_WHOLE && (body > size || length > size - body))
        abort();
    if (state != RI_RPC_HTTP_WHOLE) {
        body = 0;
        length = size;
    }
    if (ri_rpc_parse(&x, copy + body, length)) {
        RiText out;
        for (int i = 0; i < x.count; i++) {
            if (x.values[i].next <= i || x.values[i].next > x.count)
                abort();
            ri_rpc_get_string(&x.values[i], word, sizeof word);
            ri_rpc_get_int(&x.values[i], &number);
        }
        ri_text_init(&out, &memory);
        ri_ros_master_answer(master, &x, &out);
        if (out.size == 0 && !out.failed)
            abort();
        ri_text_free(&out);
    }
    copy[size] = '\0';
    ri_rpc_http_address(copy, host, sizeof host, &port);
    free(copy);
    return 0;
}
