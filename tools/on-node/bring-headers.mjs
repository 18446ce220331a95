/**
 * `node tools/on-node/bring-headers.mjs DIR`: brings the Node that runs this from npm into the empty folder DIR, with its headers, and prints where they
 * are, as npm's setting `nodedir` takes it. For machines that have Node without headers, and cannot reach its own site.
 */

import { bringNode } from "./bring-node.mjs";

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error("Name an empty folder for the headers.");
console.log(bringNode(process.versions.node, directory));
