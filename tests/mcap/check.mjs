// SPDX-License-Identifier: Apache-2.0
// Reads a log written by write_sample.c with the MCAP project's readers, with all checksums, and decodes every message by the
// schema that the file carries. Arguments: the log, and the number of samples it must have.
import { readFileSync } from "node:fs";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { decompress } from "fzstd";

const [path, wanted] = [process.argv[2], Number(process.argv[3])];
const bytes = readFileSync(path);
const decompressHandlers = { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) };

function expect(condition, what) {
  if (!condition) {
    console.error(`check.mjs: ${what}`);
    process.exit(1);
  }
}

// By the index.
const readable = {
  size: async () => BigInt(bytes.length),
  read: async (offset, length) => new Uint8Array(bytes.subarray(Number(offset), Number(offset + length))),
};
const indexed = await McapIndexedReader.Initialize({ readable, decompressHandlers });
const decoders = new Map();
for (const [id, channel] of indexed.channelsById) {
  const schema = indexed.schemasById.get(channel.schemaId);
  const text = new TextDecoder().decode(schema.data);
  decoders.set(id, new MessageReader(parse(text, { ros2: true })));
}
expect(indexed.channelsById.size === 3, "three channels");
expect(indexed.statistics.chunkCount === indexed.chunkIndexes.length, "the statistics count the chunks");

const counts = { "/robot/joints": 0, "/tf": 0, "/events": 0 };
let last = -1n;
for await (const message of indexed.readMessages({ validateCrcs: true })) {
  const { topic } = indexed.channelsById.get(message.channelId);
  const value = decoders.get(message.channelId).readMessage(message.data);
  expect(message.logTime >= last, "messages in the order of time");
  last = message.logTime;
  const k = counts[topic]++;
  const seconds = Number(message.logTime) / 1e9;
  if (topic === "/robot/joints") {
    expect(seconds === k / 1000, `time of sample ${k}`);
    expect(value.arm_elbow_position === k * 0.5 && value.arm_elbow_velocity === -k, `values of sample ${k}`);
  } else if (topic === "/tf") {
    const [a, b] = value.transforms;
    expect(value.transforms.length === 2 && a.child_frame_id === "base" && b.child_frame_id === "tool_link", "frames");
    expect(b.header.frame_id === "world" && b.transform.translation.x === k && b.transform.rotation.w === 1, "pose");
    const { sec, nsec, nanosec } = b.header.stamp;
    expect(BigInt(sec) * 1000000000n + BigInt(nsec ?? nanosec) === message.logTime, "stamp");
  } else {
    expect(value.data === "started", "event");
  }
}
expect(counts["/robot/joints"] === wanted && counts["/tf"] === wanted && counts["/events"] === 1, "all messages");
expect(Number(indexed.statistics.messageCount) === 2 * wanted + 1, "the statistics count the messages");

const joints = [...indexed.channelsById.values()].find((c) => c.topic === "/robot/joints");
expect(JSON.parse(joints.metadata.get("signals"))[0] === "arm.elbow.position", "names of signals");
expect(JSON.parse(joints.metadata.get("units"))[1] === "rad/s", "units of signals");

let attachments = 0;
for await (const attachment of indexed.readAttachments({ validateCrcs: true })) {
  expect(attachment.name === "config.yaml" && new TextDecoder().decode(attachment.data) === "robot: snake\n", "attachment");
  attachments++;
}
expect(attachments === 1, "one attachment");

// From front to back.
const stream = new McapStreamReader({ validateCrcs: true, decompressHandlers });
stream.append(bytes);
let messages = 0;
for (let record; (record = stream.nextRecord()); ) messages += record.type === "Message" ? 1 : 0;
expect(stream.done() && messages === 2 * wanted + 1, "the stream reader reaches the end");
console.log(`${messages} messages in ${indexed.chunkIndexes.length} chunks, all checksums right`);
