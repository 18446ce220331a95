import { LoredexClient } from "@loredex/client";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { knowledgeOf } from "./knowledge.ts";
import "./style.css";

const { VITE_LOREDEX_URL: baseUrl, VITE_LOREDEX_KEY: key } = import.meta.env;
const root = document.getElementById("root");
if (root === null || !baseUrl || !key)
  throw new Error("VITE_LOREDEX_URL and VITE_LOREDEX_KEY must be set for the build");

// The page itself shows that it waits, and tries again.
const client = new LoredexClient({ baseUrl, key, attemptsMax: 1, timeoutSeconds: 20, answerBytesMax: 4 * 1_048_576 });
createRoot(root).render(
  <StrictMode>
    <App knowledge={knowledgeOf(client)} />
  </StrictMode>,
);
