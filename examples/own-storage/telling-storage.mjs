/** @typedef {import("@loredex/core").Storage} Storage */
/** @typedef {import("@loredex/core").Store} Store */
/** @typedef {(store: string, sequence: number, record: Uint8Array) => void} Tell */

/**
 * A storage on top of another one. It tells of every record as soon as the record is durable, as a copy elsewhere would need it.
 * @param {Storage} storage
 * @param {Tell} tell
 * @returns {Storage}
 */
export function tellingStorage(storage, tell) {
  const checkPlaces = storage.checkPlaces?.bind(storage);
  return {
    create: (name, first, how) => storage.create(name, first, how),
    exists: (name) => storage.exists(name),
    open: async (name) => tellingStore(name, await storage.open(name), tell),
    remove: (name) => storage.remove(name),
    list: () => storage.list(),
    verify: (name) => storage.verify(name),
    salvage: (name, visitor) => storage.salvage(name, visitor),
    requireAccess: (name) => storage.requireAccess(name),
    requireWritable: () => storage.requireWritable(),
    ...(checkPlaces && { checkPlaces }),
    close: () => storage.close(),
  };
}

/**
 * @param {string} name
 * @param {Store} store
 * @param {Tell} tell
 * @returns {Store}
 */
function tellingStore(name, store, tell) {
  const blocks = store.blocks?.bind(store);
  return {
    recover: (visitor) => store.recover(visitor),
    append: async (payload, onFailed, frees) => {
      const sequence = await store.append(payload, onFailed, frees);
      tell(name, sequence, payload);
      return sequence;
    },
    writeSnapshot: (sequence, sections) => store.writeSnapshot(sequence, sections),
    purge: (contents) => store.purge(contents),
    sizes: () => store.sizes(),
    writeCache: (cache, bytes) => store.writeCache(cache, bytes),
    readCache: (cache) => store.readCache(cache),
    ...(blocks && { blocks }),
    close: () => store.close(),
  };
}
