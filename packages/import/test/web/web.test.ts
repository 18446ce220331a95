import { readFileSync } from "node:fs";
import { createServer as createSecureServer } from "node:https";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebError } from "../../src/web/web-error.ts";
import { testResolver, testWeb } from "./support/crawled.ts";
import { answer, page, rawServer, testSite } from "./support/test-site.ts";
import { TestTime } from "./support/test-time.ts";

const HTML = { "content-type": "text/html" };

/** What fetching this address comes to: its text, or why not. */
async function outcome(address: string, web = testWeb({ ignoreRobots: true })): Promise<string> {
  try {
    const { body, address: found } = await web.fetch(address);
    return `${new URL(found).pathname} ${new TextDecoder().decode(body)}`;
  } catch (error) {
    if (!(error instanceof WebError)) throw error;
    return `${error.kind}: ${error.message}`;
  }
}

describe("an answer", () => {
  it("comes packed in any of the usual ways", async () => {
    const packed = { gzip: gzipSync("text"), br: brotliCompressSync("text"), deflate: deflateSync("text") };
    const site = await testSite({
      ...Object.fromEntries(
        Object.entries(packed).map(([way, body]) => [
          `/${way}`,
          answer(200, { ...HTML, "content-encoding": way }, body),
        ]),
      ),
      "/raw": answer(200, { ...HTML, "content-encoding": "deflate" }, deflateRawSync("text")),
      "/zstd": answer(200, { ...HTML, "content-encoding": "zstd" }, "text"),
      "/bad": answer(200, { ...HTML, "content-encoding": "gzip" }, "no gzip at all"),
    });
    for (const way of ["gzip", "br", "deflate", "raw"])
      expect(await outcome(`${site.origin}/${way}`)).toBe(`/${way} text`);
    expect(await outcome(`${site.origin}/zstd`)).toBe("unfit: it is packed in a way that is not known here (zstd)");
    expect(await outcome(`${site.origin}/bad`)).toBe("away: what it sends is damaged: it cannot be unpacked");
  });

  it("is no larger than it may be, whether told, without end, or packed", async () => {
    const bomb = gzipSync(Buffer.alloc(60 * 1_048_576));
    const site = await testSite({
      "/told": (_request, response) => response.writeHead(200, { ...HTML, "content-length": "60000000" }).write("x"),
      "/endless": (_request, response) => {
        response.writeHead(200, HTML);
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(1_048_576)));
        };
        response.on("drain", more);
        more();
      },
      // Packed blocks of nothing, without end.
      "/hollow": (_request, response) => {
        response.writeHead(200, { ...HTML, "content-encoding": "gzip" });
        response.write(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]));
        const nothing = Buffer.from(new Array<readonly number[]>(200_000).fill([0, 0, 0, 255, 255]).flat());
        const more = (): void => {
          while (!response.destroyed && response.write(nothing));
        };
        response.on("drain", more);
        more();
      },
      "/bomb": answer(200, { ...HTML, "content-encoding": "gzip" }, bomb),
    });
    for (const path of ["/told", "/endless", "/hollow", "/bomb"]) {
      expect(await outcome(site.origin + path)).toBe("unfit: it has more than 50 MiB");
    }
  });

  it("comes from old servers and strange ones, or is told in words", async () => {
    const old = await rawServer((socket) => socket.end("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nold"));
    expect(await outcome(`${old}/`)).toBe("/ old");
    const chunked = await rawServer((socket) =>
      socket.write(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
      ),
    );
    expect(await outcome(`${chunked}/`)).toBe("/ abc");
    const ssh = await rawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
    expect(await outcome(`${ssh}/`)).toBe("away: what answers there does not speak HTTP");
    const secure = await rawServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect(await outcome(secure.replace("http:", "https:"))).toBe("away: the server does not speak https there");
  });

  it("that breaks off is asked for again, and not taken for a page", async () => {
    let asked = 0;
    const site = await testSite({
      "/": (_request, response) => {
        asked += 1;
        response.writeHead(200, { ...HTML, "content-length": "1000" });
        response.write("half", () => response.socket?.destroy());
      },
    });
    const time = new TestTime();
    expect(await outcome(`${site.origin}/`, testWeb({ time, ignoreRobots: true, requestsPerSecond: 1_000 }))).toBe(
      "away: the connection ended before the page was whole",
    );
    expect(asked).toBe(4);
    expect(time.waits.filter((ms) => ms > 1)).toEqual([2_000, 4_000, 8_000]);
  });

  it.each([
    ["silence after the connection", 30_000, "", "away: the server gives no answer (none within 30 seconds)"],
    ["a head without end", 120_000, "HTTP/1.1 200 OK\r\nX-A: ", "away: it was not whole after 2 minutes"],
    [
      "silence in the body",
      30_000,
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nab",
      "away: it has sent nothing more for 30 seconds",
    ],
  ])("is not waited for without end: %s", async (_case, ms, said, expected) => {
    const time = new TestTime();
    const origin = await rawServer((socket) => {
      socket.once("data", () => {
        // What was said has arrived before the time passes: the limit is set anew by each byte.
        if (said === "") time.passWhenSet(ms);
        else socket.write(said, () => time.passWhenSet(ms));
      });
    });
    if (said === "" || ms === 120_000) time.passWhenSet(ms);
    expect(await outcome(`${origin}/`, testWeb({ time, ignoreRobots: true }))).toBe(expected);
    expect(time.limitsLeft).toBe(0);
  });

  it("says what is wrong where there is none", async () => {
    expect(await outcome("http://nowhere.test/")).toBe("away: there is no such host; check the address");
    const closed = await testSite({});
    expect(await outcome(`http://site.test:${closed.port === 1 ? 2 : 1}/`)).toBe(
      "away: nothing answers there; check the address and its port",
    );
  });

  it("is refused of a server whose certificate nobody has signed", async () => {
    const [key, cert] = ["key.pem", "certificate.pem"].map((name) =>
      readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8"),
    );
    let asked = 0;
    const server = createSecureServer({ key, cert }, (_request, response) => {
      asked += 1;
      response.end("secret");
    });
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    expect(await outcome(`https://site.test:${port}/`)).toMatch(
      /^away: its certificate is signed by nobody that this machine trusts; .*NODE_EXTRA_CA_CERTS/,
    );
    expect(asked).toBe(0);
  });
});

describe("redirects", () => {
  it("end somewhere: a circle is left", async () => {
    const site = await testSite({ "/a": answer(302, { location: "/b" }), "/b": answer(307, { location: "/a" }) });
    expect(await outcome(`${site.origin}/a`)).toBe("refused: it redirects too often: more than 10 redirects");
    expect(site.asked).toHaveLength(11);
  });

  it("to nothing that is an address are refused", async () => {
    const site = await testSite({ "/a": answer(302, {}), "/b": answer(302, { location: "file:///etc/passwd" }) });
    expect(await outcome(`${site.origin}/a`)).toBe("refused: it leads to no address of a page (none is told)");
    expect(await outcome(`${site.origin}/b`)).toBe("refused: it leads to no address of a page (file:///etc/passwd)");
  });

  it.each([
    "http://127.0.0.2:PORT/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.2]:PORT/",
    "http://[64:ff9b::7f00:2]/",
    "http://2130706434:PORT/",
    "http://0x7f.2:PORT/",
    "http://0177.0.0.2:PORT/",
    "http://internal.test:PORT/",
    "http://app.localhost:PORT/",
  ])("do not lead into a private network: %s", async (target) => {
    const inside = await testSite({ "*": page("secret") }, "127.0.0.2");
    const site = await testSite({ "*": answer(302, { location: target.replace("PORT", String(inside.port)) }) });
    const resolver = testResolver({ "internal.test": ["10.0.0.1", "127.0.0.2"], "app.localhost": ["127.0.0.2"] });
    expect(await outcome(`${site.origin}/`, testWeb({ resolver, ignoreRobots: true }))).toMatch(
      /^forbidden: it is an address of a private network/,
    );
    expect(inside.asked).toEqual([]);
  });

  it("do not follow a name that changes its address", async () => {
    const inside = await testSite({ "*": page("secret") }, "127.0.0.2");
    let asked = 0;
    const resolver = {
      ...testResolver(),
      // Whoever asks again is told another address.
      resolve: async () => [asked++ < 1 ? "127.0.0.1" : "127.0.0.2"],
    };
    const web = testWeb({ resolver, ignoreRobots: true });
    const address = `http://rebinding.test:${inside.port}/`;
    await web.admit(address);
    expect(await outcome(address, web)).toMatch(/^forbidden: /);
    expect(inside.asked).toEqual([]);
  });

  it("stay on a private host that the operator named", async () => {
    const inside = await testSite({ "/a": answer(302, { location: "/b" }), "/b": page("secret") }, "127.0.0.2");
    const address = `http://127.0.0.2:${inside.port}/a`;
    const web = testWeb();
    expect(await outcome(address, web)).toMatch(/^forbidden: /);
    await web.admit(address);
    expect(await outcome(address, web)).toContain("/b <html>");
    expect(await outcome(`http://127.0.0.2:1/`, web)).toMatch(/^forbidden: /);
  });
});

describe("a polite reader", () => {
  it("says who asks", async () => {
    const agents: string[] = [];
    const site = await testSite({
      "*": (request, response) => {
        agents.push(request.headers["user-agent"] ?? "");
        response.writeHead(404).end();
      },
    });
    await outcome(`${site.origin}/`, testWeb());
    expect(agents).toHaveLength(2);
    for (const agent of agents) expect(agent).toMatch(/^Loredex\/\d+\.\d+\.\d+\S* \(\+https:\/\/\S+\)$/);
  });

  it("asks a host once a second, a private one more often, or as it was told", async () => {
    const site = await testSite({ "*": page("x") });
    const inside = await testSite({ "*": page("x") }, "127.0.0.2");
    const waitsOf = async (origin: string, requestsPerSecond?: number): Promise<readonly number[]> => {
      const time = new TestTime();
      const web = testWeb({ time, requestsPerSecond, ignoreRobots: true });
      await web.admit(origin);
      for (const path of ["/a", "/b", "/c"]) await web.fetch(origin + path);
      return time.waits;
    };
    expect(await waitsOf(site.origin)).toEqual([1_000, 1_000]);
    expect(await waitsOf(`http://127.0.0.2:${inside.port}`)).toEqual([50, 50]);
    expect(await waitsOf(site.origin, 4)).toEqual([250, 250]);
  });

  it("waits as long as a robots.txt asks, but not for ever", async () => {
    const waitsOf = async (robots: string): Promise<readonly number[]> => {
      const time = new TestTime();
      const site = await testSite({ "/robots.txt": robots, "*": page("x") });
      const web = testWeb({ time, requestsPerSecond: 10 });
      for (const path of ["/a", "/b"]) await web.fetch(site.origin + path);
      return time.waits;
    };
    expect(await waitsOf("User-agent: *\nCrawl-delay: 5")).toEqual([5_000]);
    expect(await waitsOf("User-agent: *\nCrawl-delay: 86400")).toEqual([30_000]);
    expect(await waitsOf("User-agent: other\nCrawl-delay: 5")).toEqual([100]);
  });

  it("comes again when it was asked to, unless that is too late", async () => {
    const answers = [answer(429, { "retry-after": "7" }), answer(503, {}), page("there")];
    const site = await testSite({
      "/": (request, response) => {
        const next = answers.shift();
        if (typeof next === "function") next(request, response);
        else response.writeHead(200, HTML).end("there");
      },
      "/later": answer(503, { "retry-after": "3600" }),
      "/500": answer(500, {}),
    });
    const time = new TestTime();
    const web = testWeb({ time, ignoreRobots: true, requestsPerSecond: 1_000 });
    expect(await outcome(`${site.origin}/`, web)).toBe("/ there");
    expect(time.waits.filter((ms) => ms > 1)).toEqual([7_000, 4_000]);
    expect(await outcome(`${site.origin}/later`, web)).toBe(
      "away: the server has a problem (503); it asks to come again in 60 minutes",
    );
    expect(await outcome(`${site.origin}/500`, web)).toBe("away: the server has a problem (500)");
    expect(site.asked).toHaveLength(5);
  });
});

describe("robots.txt", () => {
  it("keeps us out of what it names, and is asked for once a site", async () => {
    const robots = "User-agent: *\nDisallow: /\n\nUser-agent: loredex\nDisallow: /private\nAllow: /private/open";
    const site = await testSite({ "/robots.txt": answer(200, {}, robots), "*": page("x") });
    const web = testWeb();
    expect(await outcome(`${site.origin}/a`, web)).toContain("/a <html>");
    expect(await outcome(`${site.origin}/private/b`, web)).toMatch(/^unwanted: its robots.txt asks/);
    expect(await outcome(`${site.origin}/private/open`, web)).toContain("/private/open <html>");
    expect(site.asked.filter((path) => path === "/robots.txt")).toHaveLength(1);
  });

  it("is asked of the site that a redirect leads to", async () => {
    const other = await testSite({ "/robots.txt": "User-agent: *\nDisallow: /", "*": page("x") });
    const site = await testSite({ "/a": answer(302, { location: `${other.origin}/a` }) });
    expect(await outcome(`${site.origin}/a`, testWeb())).toMatch(/^unwanted/);
    expect(other.asked).toEqual(["/robots.txt"]);
  });

  it("that cannot be read lets nothing in, and one that is not there everything", async () => {
    const failing = await testSite({ "/robots.txt": answer(503, {}), "*": page("x") });
    expect(await outcome(`${failing.origin}/a`, testWeb())).toBe(
      "away: its robots.txt cannot be read: the server has a problem (503)",
    );
    expect(failing.asked).toEqual(["/robots.txt"]);
    for (const status of [401, 403, 404, 410]) {
      const site = await testSite({ "/robots.txt": answer(status, {}), "*": page("x") });
      expect(await outcome(`${site.origin}/a`, testWeb())).toContain("/a <html>");
    }
  });

  it("without end is read as far as it counts", async () => {
    const lines = `User-agent: *\nDisallow: /private\n${"#\n".repeat(1_000_000)}Disallow: /`;
    const site = await testSite({ "/robots.txt": answer(200, {}, lines), "*": page("x") });
    const web = testWeb();
    expect(await outcome(`${site.origin}/a`, web)).toContain("/a <html>");
    expect(await outcome(`${site.origin}/private`, web)).toMatch(/^unwanted/);
  });
});
