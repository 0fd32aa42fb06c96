// SPDX-License-Identifier: Apache-2.0
// Speaks to a running `rille view` with Foxglove's own client: channels are advertised, poses and values arrive and decode by the schemas
// that the server gives. Argument: the address that the program printed.
import protocol from "@foxglove/ws-protocol";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { WebSocket } from "ws";

const { FoxgloveClient } = protocol;
const url = process.argv[2].replace("http", "ws").replace("/?", "/ws?");
function fail(what) {
  console.error(`check.mjs: ${what}`);
  process.exit(1);
}
setTimeout(() => fail("nothing came in 10 s"), 10000);

const client = new FoxgloveClient({ ws: new WebSocket(url, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
const decoders = new Map();
const seen = { tf: 0, value: 0 };
let info;
client.on("error", (e) => fail(`error ${e.message ?? e}`));
client.on("close", () => fail("the connection was closed"));
client.on("serverInfo", (event) => (info = event));
client.on("advertise", (channels) => {
  if (!info?.name.startsWith("rille")) fail("serverInfo comes first");
  for (const channel of channels) {
    const schema = parse(channel.schema, { ros2: true });
    decoders.set(client.subscribe(channel.id), [channel.topic, new MessageReader(schema)]);
  }
  if (![...decoders.values()].some(([topic]) => topic === "/tf")) fail("there is no channel /tf");
});
client.on("message", ({ subscriptionId, timestamp, data }) => {
  const [topic, reader] = decoders.get(subscriptionId);
  const message = reader.readMessage(data);
  if (typeof timestamp !== "bigint") fail("a time");
  if (topic === "/tf") {
    const { transforms } = message;
    if (transforms.length < 2) fail(`${transforms.length} transforms`);
    for (const t of transforms) {
      const { x, y, z, w } = t.transform.rotation;
      if (t.header.frame_id !== "world" || !t.child_frame_id) fail("names of frames");
      if (Math.abs(Math.hypot(x, y, z, w) - 1) > 1e-3) fail("a quaternion is not of length 1");
    }
    seen.tf++;
  } else {
    if (!Number.isFinite(message.value)) fail(`${topic} is not a number`);
    seen.value++;
  }
  if (seen.tf >= 5 && seen.value >= 5) {
    console.log(`${decoders.size} channels, poses and values decoded`);
    process.exit(0);
  }
});
