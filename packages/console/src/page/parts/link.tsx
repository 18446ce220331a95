import type { ComponentChildren } from "preact";
import { navigate } from "../state/route.ts";

/** A link within the console. */
export function Link(props: { to: string; children: ComponentChildren; class?: string; isCurrent?: boolean }) {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(props.to);
  };
  return (
    <a href={props.to} class={props.class} onClick={follow} aria-current={props.isCurrent ? "page" : undefined}>
      {props.children}
    </a>
  );
}

/** An address of the outside, if it is one of the web. */
export function webAddress(address: string | undefined): string | undefined {
  return address !== undefined && /^https?:\/\//i.test(address) ? address : undefined;
}
