import autocannon from "autocannon";
import { questionsIn } from "../corpora/corpus-files.ts";
import { RESULTS } from "../peers/competitors.ts";

/** `http-load.ts PORT KEY DIRECTORY SECONDS CONNECTIONS`: asks a server one distinct question after the other over each connection, and prints what it measured as JSON. */

const [, , port = "", key = "", directory = "", seconds = "1", connections = "1"] = process.argv;

const questions = await questionsIn(directory);
const result = await autocannon({
  url: `http://127.0.0.1:${port}/api/v1/knowledge/search`,
  method: "POST",
  duration: Number(seconds),
  connections: Number(connections),
  headers: { "content-type": "application/json", "x-api-key": key },
  requests: questions.map((query) => ({ body: JSON.stringify({ query, options: { topK: RESULTS } }) })),
});
if (result["2xx"] === 0) throw new Error("The server answered no question");
process.stdout.write(
  JSON.stringify({
    // What was refused was not answered.
    requestsPerSecond: result["2xx"] / result.duration,
    // With headers.
    answerBytes: result.throughput.total / result["2xx"],
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  }),
);
