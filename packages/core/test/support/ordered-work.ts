import { setImmediate } from "node:timers/promises";

/** Work that notes in `order` when it begins and ends, a round of the event loop later. The work named `a` fails. */
export function orderedWork(): { readonly order: string[]; work(name: string): () => Promise<string> } {
  const order: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    order.push(`${name} begins`);
    await setImmediate();
    order.push(`${name} ends`);
    if (name === "a") throw new Error("a fails");
    return name;
  };
  return { order, work };
}
