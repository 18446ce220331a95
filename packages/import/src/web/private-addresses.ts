import { BlockList, isIPv4, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";

/** IPv4 networks that are unreachable from outside, or belong to no single machine (IANA's registries of special addresses). */
const NOT_PUBLIC: readonly (readonly [network: string, prefix: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Non-public networks within 2000::/3, the public part of IPv6. Some of them carry IPv4 addresses of any kind. */
const NOT_PUBLIC_6: readonly (readonly [network: string, prefix: number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const blocked = new BlockList();
for (const [network, prefix] of NOT_PUBLIC) blocked.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of NOT_PUBLIC_6) blocked.addSubnet(network, prefix, "ipv6");
const publicIpv6 = new BlockList();
publicIpv6.addSubnet("2000::", 3, "ipv6");

/** True for every address that is not public: private, loopback, link-local, or of no machine. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ""] = address.split("%");
  if (isIPv4(plain)) return blocked.check(plain, "ipv4");
  if (!isIPv6(plain)) return true;
  const inside = ipv4Within(plain);
  if (inside !== undefined) return blocked.check(inside, "ipv4");
  return !publicIpv6.check(plain, "ipv6") || blocked.check(plain, "ipv6");
}

/**
 * True for an address of this machine, also a public one: services that listen there may trust who asks from here. A public address that a router or a
 * cloud translates stands at no interface, so it is not known.
 * @param interfaces default: those of now, as they may change
 */
export function isOwnAddress(address: string, interfaces = networkInterfaces()): boolean {
  const asked = canonical(address);
  return Object.values(interfaces).some((list = []) => list.some((own) => canonical(own.address) === asked));
}

/** One text for all notations of an address. */
function canonical(address: string): string {
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return plain;
  return ipv4Within(plain) ?? groupsOf(plain).join(":");
}

/** The IPv4 address inside a mapped (::ffff:0:0/96) or translated (64:ff9b::/96) IPv6 address. */
function ipv4Within(address: string): string | undefined {
  const groups = groupsOf(address);
  const head = groups.slice(0, 6).join(",");
  if (head !== "0,0,0,0,0,65535" && head !== "100,65435,0,0,0,0") return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The eight groups of an IPv6 address. The URL parser reads every notation, and returns the shortest. */
function groupsOf(address: string): readonly number[] {
  const [before = "", after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const head = numbers(before);
  const tail = numbers(after ?? "");
  const gap = after === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...new Array<number>(Math.max(0, gap)).fill(0), ...tail];
}

function numbers(groups: string): readonly number[] {
  return groups === "" ? [] : groups.split(":").map((group) => Number.parseInt(group, 16));
}
