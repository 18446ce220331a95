/** A program that does what ours never do: it looks up a name, and greets another machine. */
import { createSocket } from "node:dgram";
import { lookup } from "node:dns";

const socket = createSocket("udp4");
lookup("name.invalid", () => socket.send("hello", 9, "192.0.2.1", () => socket.close()));
