import { Socket } from "node:net";
import { expect, it } from "vitest";
import { Connections } from "../src/connections.ts";

/** A connection from one port of a client to an address of this machine. */
function socketTo(localAddress: string): Socket {
  const [remoteAddress, remotePort, localPort] = ["192.0.2.1", 40_000, 443];
  const ends = { remoteAddress, remotePort, localAddress, localPort };
  return Object.defineProperties(
    new Socket(),
    Object.fromEntries(Object.entries(ends).map(([name, value]) => [name, { value }])),
  );
}

it("tells connections apart that come from one port to two addresses of the machine, while TLS is agreed on", () => {
  const connections = new Connections({ connectionsMax: 4, connectionRequestsMax: 9 }, () => undefined);
  const addresses = ["192.0.2.7", "192.0.2.8"];
  for (const address of addresses) connections.admitForTls(socketTo(address));
  for (const address of addresses) {
    const secure = socketTo(address);
    connections.secured(secure);
    expect([secure.destroyed, connections.of(secure)?.isIdle]).toEqual([false, true]);
    secure.destroy();
  }
});
