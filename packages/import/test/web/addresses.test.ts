import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Hosts, systemResolver } from "../../src/web/hosts.ts";
import { pageAddress } from "../../src/web/page-address.ts";
import { isOwnAddress, isPrivateAddress } from "../../src/web/private-addresses.ts";
import { Site } from "../../src/web/site.ts";
import { redirected } from "../../src/web/web.ts";

describe("the address of a page", () => {
  it.each([
    ["HTTPS://Help.Example.COM:443/a/../b/./c?x=1#part", "https://help.example.com/b/c?x=1"],
    ["http://example.com", "http://example.com/"],
    ["http://example.com./?", "http://example.com/"],
    ["https://example.com/?utm_source=a&q=b%20c&fbclid=d&UTM=1", "https://example.com/?q=b%20c&UTM=1"],
    ["https://example.com/%7euser/%e4%b8%ad%2f", "https://example.com/~user/%E4%B8%AD%2F"],
    ["https://example.com/ä b", "https://example.com/%C3%A4%20b"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["http://0x7f.1/", "http://127.0.0.1/"],
    ["http://[0:0::1]:8080/", "http://[::1]:8080/"],
  ])("%s is %s", (given, expected) => expect(pageAddress(given)).toBe(expected));

  it.each(["ftp://a/", "mailto:a@b.c", "javascript:1", "//a", "https://u:p@a/", `http://a/${"x".repeat(2_000)}`, ""])(
    "%s is none",
    (given) => expect(pageAddress(given)).toBeUndefined(),
  );

  it("is the same when written again", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const address = pageAddress(url);
        if (address === undefined) return;
        expect(pageAddress(address)).toBe(address);
        expect(pageAddress(`${address}#x`)).toBe(address);
      }),
    );
  });
});

describe("a private address", () => {
  it.each([
    ..."0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.168.1.1".split(
      " ",
    ),
    ..."198.18.0.1 203.0.113.5 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::a00:1".split(
      " ",
    ),
    ..."64:ff9b:1::808:808 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 ff02::1 2001:db8::1 2002:7f00:1:: 2001::1 ::127.0.0.1 no-address".split(
      " ",
    ),
  ])("%s is one", (address) => expect(isPrivateAddress(address)).toBe(true));

  it.each([
    ..."1.1.1.1 8.8.8.8 100.128.0.1 172.15.0.1 172.32.0.1 192.169.0.1 223.255.255.1".split(" "),
    ..."2606:4700::1111 2a00:1450:4001::1 ::ffff:8.8.8.8 64:ff9b::808:808 2001:4860:4860::8888".split(" "),
  ])("%s is none", (address) => expect(isPrivateAddress(address)).toBe(false));

  it("is one however it is mapped into IPv6", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPrivateAddress(`::ffff:${address}`)).toBe(isPrivateAddress(address));
        expect(isPrivateAddress(`64:ff9b::${address}`)).toBe(isPrivateAddress(address));
      }),
    );
  });
});

describe("an address of this machine", () => {
  const entry = { netmask: "", mac: "", internal: false, cidr: null };
  const interfaces = {
    eth0: [
      { ...entry, family: "IPv4" as const, address: "8.8.8.8" },
      { ...entry, family: "IPv6" as const, address: "2a00:1450:4001::1", scopeid: 0 },
    ],
    none: undefined,
  };

  it.each(["8.8.8.8", "::ffff:8.8.8.8", "64:ff9b::808:808", "2a00:1450:4001:0:0:0:0:1", "2A00:1450:4001::1%eth0"])(
    "is %s",
    (address) => expect(isOwnAddress(address, interfaces)).toBe(true),
  );

  it.each(["8.8.4.4", "2a00:1450:4001::2", "example.com", ""])("is not %s", (address) =>
    expect(isOwnAddress(address, interfaces)).toBe(false),
  );

  it("is private to the resolver of the system, and named to nobody who may not fetch it", async () => {
    const [own = expect.fail("this machine has no address")] = Object.values(networkInterfaces()).flatMap(
      (list = []) => list,
    );
    expect(systemResolver.isPrivate(own.address)).toBe(true);
    const resolver = {
      resolve: async () => ["8.8.8.8"],
      isPrivate: (address: string) => isOwnAddress(address, interfaces),
    };
    const url = new URL("http://intranet.example/");
    const refused = new Hosts(resolver, true).check(url);
    await expect(refused).rejects.toThrow("it is an address of a private network, which is not fetched here");
    await expect(new Hosts(resolver).check(url)).rejects.toThrow("(8.8.8.8)");
    const named = new Hosts(resolver);
    await named.admit(url);
    expect(await named.check(url)).toEqual({ addresses: ["8.8.8.8"], isPrivate: true });
  });
});

describe("a site", () => {
  it.each([
    ["https://a.test/docs/", "https://a.test/docs/", "https://a.test/docs/x", true],
    ["https://a.test/docs/", "https://a.test/docs/", "https://a.test/blog", false],
    ["https://a.test/docs/one.html", "https://a.test/docs/one.html", "https://a.test/docs/two.html", true],
    ["https://a.test/docs", "https://a.test/docs/", "https://a.test/other", false],
    ["https://a.test/", "https://a.test/en/", "https://a.test/de/", true],
    ["http://a.test/", "https://a.test/", "http://a.test/x", true],
    ["https://a.test", "https://www.a.test/help/", "https://www.a.test/shop", false],
    ["https://a.test/", "https://a.test/", "https://a.test:8443/", false],
    ["https://a.test/", "https://a.test/", "https://b.a.test/", false],
  ])("that begins at %s (%s) holds %s: %s", (typed, found, link, isInside) => {
    expect(new Site(typed, found).page(link, found) !== undefined).toBe(isInside);
  });

  it("that has gone over to https is linked to so", () => {
    expect(new Site("http://a.test/", "https://a.test/").page("http://a.test/x", "https://a.test/")).toBe(
      "https://a.test/x",
    );
  });
});

describe("a redirect", () => {
  it.each([
    ["http://a.test/x", "https://a.test/x", "https://a.test/x"],
    ["https://a.test/docs", "/docs/", "https://a.test/docs/"],
    ["https://a.test/docs", "http://a.test/docs/", "https://a.test/docs/"],
    ["https://a.test/docs", "https://b.test/#x", "https://b.test/"],
  ])("from %s to %s leads to %s", (from, location, expected) => expect(redirected(from, location)).toBe(expected));

  it.each([
    ["https://a.test/", "http://b.test/", /from https to http/],
    ["https://a.test/", "http://a.test:8080/", /from https to http/],
    ["https://a.test/", "file:///etc/passwd", /no address of a page/],
    ["https://a.test/", undefined, /none is told/],
  ])("from %s to %s is refused", (from, location, expected) => {
    expect(() => redirected(from, location)).toThrow(expected);
  });
});
