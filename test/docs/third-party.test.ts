import { expect, it } from "vitest";
import { isAllowed, licenceOf } from "../../tools/security/licences.ts";
import { pageWith, rowsOf, thirdPartyOf } from "../../tools/security/third-party.ts";
import { read } from "../tidy/source-files.ts";

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const locked: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(read("package-lock.json"));
/** All that is installed with what is published, and is not ours: `name`, version and licence. */
const installed = Object.entries(locked.packages).flatMap(
  ([path, { version = "", license, link, dev, hasInstallScript }]) => {
    if (!path.includes("node_modules/") || link === true || dev === true) return [];
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    return [{ name, version, licence: licenceOf(`${name}@${version}`, license), hasInstallScript }];
  },
);

it("docs/third-party.md has what package-lock.json has, and the viewer of the API's page (npm run write-third-party makes it so)", () => {
  const rows = [...read("docs/third-party.md").matchAll(/^\| (\S+) \| (\d\S*) \| (.+?) \| .+ \|$/gm)];
  const told = rows.map(([, name, version, licence]) => `${name} ${version} ${licence}`);
  const viewer: { name: string; version: string; license: string } = JSON.parse(
    read("packages/http/viewer/viewer.json"),
  );
  const all = [...installed, { ...viewer, licence: viewer.license }];
  const wanted = all.map(({ name, version, licence }) => `${name} ${version} ${licence}`);
  expect(told.toSorted()).toEqual([...new Set(wanted)].sort());
});

it("everything that is installed is under a licence that is allowed", () => {
  expect(installed.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
});

it("one package alone that is installed runs a script of its own: the graph library is built by it", () => {
  expect(installed.filter((each) => each.hasInstallScript).map(({ name }) => name)).toEqual(["hnswlib-node"]);
});

it("a licence is allowed if one of several to choose from is, and all that hold together are", () => {
  expect(["MIT", "(MIT OR GPL-3.0-or-later)", "(MIT AND Zlib)"].map(isAllowed)).toEqual([true, true, true]);
  for (const licence of ["GPL-3.0-only", "(MIT AND GPL-2.0)", "MIT OR ISC AND GPL-2.0", "none told", "UNLICENSED", ""])
    expect(isAllowed(licence)).toBe(false);
});

it("a package is told with those of ours that bring it, and ours are not", () => {
  const part = (ref: string, licence: string) => ({
    "bom-ref": ref,
    name: ref.slice(0, ref.lastIndexOf("@")),
    version: "1.0.0",
    licenses: [{ license: { id: licence } }],
  });
  const parts = thirdPartyOf({
    components: [
      part("loredex@1.0.0", "Apache-2.0"),
      part("@loredex/core@1.0.0", "Apache-2.0"),
      part("@a/b@1.0.0", "MIT"),
      part("c@1.0.0", "ISC"),
    ],
    dependencies: [
      { ref: "loredex-workspace@1.0.0", dependsOn: ["loredex@1.0.0", "@loredex/core@1.0.0"] },
      { ref: "loredex@1.0.0", dependsOn: ["@loredex/core@1.0.0", "c@1.0.0"] },
      { ref: "@loredex/core@1.0.0", dependsOn: ["@a/b@1.0.0"] },
      { ref: "@a/b@1.0.0", dependsOn: ["c@1.0.0"] },
      { ref: "c@1.0.0", dependsOn: ["@a/b@1.0.0"] },
    ],
  });
  expect(rowsOf(parts)).toBe(
    "| @a/b | 1.0.0 | MIT | @loredex/core, loredex |\n| c | 1.0.0 | ISC | @loredex/core, loredex |\n",
  );
  const page =
    "# Page\n\n| package | version | licence | comes with |\n|---|---|---|---|\n| old | 1 | MIT | x |\n\nMore.\n";
  expect(pageWith(page, rowsOf(parts))).toBe(page.replace("| old | 1 | MIT | x |\n", rowsOf(parts)));
});
