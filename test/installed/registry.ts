import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { registryUrl } from "./npm.ts";
import { packedPackages, ROOT } from "./packages.ts";

/** A registry on this machine in which our packages are published as they are now. */
export interface OwnRegistry {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves the packed packages, so that `npm install loredex` gives them; for all others it points to the registry that this machine uses. */
export async function openRegistry(): Promise<OwnRegistry> {
  const upstream = await registryUrl(ROOT);
  const packages = new Map((await packedPackages()).map((one) => [one.name, one]));
  const tarballs = new Map<string, Buffer>();
  for (const { name, tarball } of packages.values()) tarballs.set(`/tarballs/${name}.tgz`, await readFile(tarball));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    const tarball = tarballs.get(path);
    const asked = packages.get(path.slice(1));
    if (tarball !== undefined) {
      response.end(tarball);
    } else if (asked !== undefined) {
      const { name, version, manifest } = asked;
      const integrity = `sha512-${createHash("sha512")
        .update(tarballs.get(`/tarballs/${name}.tgz`) ?? "")
        .digest("base64")}`;
      const dist = { integrity, tarball: `${url}/tarballs/${encodeURIComponent(name)}.tgz` };
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } }),
      );
    } else {
      response.writeHead(307, { location: new URL((request.url ?? "").slice(1), upstream).href }).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
