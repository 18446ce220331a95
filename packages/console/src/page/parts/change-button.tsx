import type { JSX } from "preact";
import { mayChange } from "../state/session.ts";

/** A button for a change. A key that may read only has none. */
export function ChangeButton(props: JSX.IntrinsicElements["button"]) {
  return mayChange.value ? <button type="button" class="button" {...props} /> : null;
}
