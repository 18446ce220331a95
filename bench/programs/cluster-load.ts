import autocannon from "autocannon";

/**
 * `cluster-load.ts PORTS KEY QUESTIONS SECONDS CONNECTIONS`: asks several nodes at once, over CONNECTIONS connections in all, and prints what it measured as JSON.
 * QUESTIONS is JSON.
 */

const [, , ports = "", key = "", questions = "[]", seconds = "1", connections = "1"] = process.argv;
const nodes = ports.split(",");
const asked: readonly string[] = JSON.parse(questions);

const results = await Promise.all(
  nodes.map((port) =>
    autocannon({
      url: `http://127.0.0.1:${port}/api/v1/knowledge/search`,
      method: "POST",
      duration: Number(seconds),
      connections: Number(connections) / nodes.length,
      headers: { "content-type": "application/json", "x-api-key": key },
      requests: asked.map((query) => ({ body: JSON.stringify({ query, options: { topK: 10 } }) })),
    }),
  ),
);
process.stdout.write(
  JSON.stringify({
    requestsPerSecond: results.reduce((sum, result) => sum + result["2xx"] / result.duration, 0),
    p50Ms: Math.max(...results.map(({ latency }) => latency.p50)),
    p99Ms: Math.max(...results.map(({ latency }) => latency.p99)),
    failed: results.reduce((sum, { non2xx, errors, timeouts }) => sum + non2xx + errors + timeouts, 0),
  }),
);
