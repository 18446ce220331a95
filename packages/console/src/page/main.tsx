import { render } from "preact";
import { openSession } from "./api/sign-in.ts";
import { App } from "./app.tsx";
import { listen } from "./state/live.ts";

const root = document.getElementById("console");
if (root !== null) {
  render(<App />, root);
  listen();
  void openSession();
}
