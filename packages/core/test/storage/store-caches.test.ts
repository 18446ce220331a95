import { describe, expect, it } from "vitest";
import { bytesOf } from "./kit.ts";
import { kinds, newStore } from "./storage-kinds.ts";

describe.each(kinds)("a store: %s", (_name, make) => {
  it("keeps caches beside its history, each under its name, the newest only", async () => {
    const kind = await make();
    const { storage, store } = await newStore(kind);
    expect(await store.readCache("graph")).toBeUndefined();
    await store.writeCache("graph", bytesOf("first"));
    await store.writeCache("graph", bytesOf("second, which is longer"));
    await store.writeCache("other", bytesOf("x"));
    expect(Buffer.from((await store.readCache("graph")) ?? []).toString()).toBe("second, which is longer");
    expect(Buffer.from((await store.readCache("other")) ?? []).toString()).toBe("x");
    await store.append(bytesOf("a record"));
    await store.writeSnapshot(1, []);
    expect(Buffer.from((await store.readCache("graph")) ?? []).toString()).toBe("second, which is longer");
    for (const wrong of ["", "../log", "Graph", "a.b"]) {
      await expect(store.writeCache(wrong, bytesOf("x"))).rejects.toMatchObject({ code: "STORAGE_FAILED" });
      await expect(store.readCache(wrong)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    }
    await store.close();
    await expect(store.writeCache("graph", bytesOf("x"))).rejects.toMatchObject({ code: "CLOSED" });
    await expect(store.readCache("graph")).rejects.toMatchObject({ code: "CLOSED" });
    await storage.remove("bot");
    expect(await storage.list()).toEqual([]);
    await storage.close();
  });
});
