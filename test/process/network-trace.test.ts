import { describe, expect, it } from "vitest";
import { outwardCalls } from "./network-trace.ts";

describe("a trace of the network", () => {
  it.each([
    [
      "a socket file below the directory",
      `connect(19, {sa_family=AF_UNIX, sun_path="/d/loredex.sock"}, 110) = 0`,
      false,
    ],
    ["another socket file", `connect(19, {sa_family=AF_UNIX, sun_path="/run/nscd/socket"}, 110) = 0`, true],
    ["a directory of a longer name", `connect(19, {sa_family=AF_UNIX, sun_path="/data/x"}, 110) = 0`, true],
    [
      "being at hand for this machine",
      `bind(9, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("127.0.0.1")}, 16) = 0`,
      false,
    ],
    [
      "being at hand for all",
      `bind(9, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("0.0.0.0")}, 16) = 0`,
      true,
    ],
    [
      "a resolver on this machine",
      `connect(9, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0`,
      true,
    ],
    [
      "a call that has not ended",
      `connect(9, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28 <unfinished ...>`,
      true,
    ],
    [
      "several messages",
      `sendmmsg(9, [{msg_hdr={msg_name={sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.2")}, msg_namelen=16}}], 2, 0) = 2`,
      true,
    ],
    ["an answer to who has called", 'sendto(30, "HTTP/1.1 200 OK", 15, 0, NULL, 0) = 15', false],
    ["the kernel", `bind(9, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 0`, false],
  ])("%s", (_name, call, leadsOut) => {
    expect(outwardCalls(`123 ${call}`, "/d")).toHaveLength(leadsOut ? 1 : 0);
  });
});
