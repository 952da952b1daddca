// The open packs of a window. Each is opened once for concurrent callers, opened again after its sources changed, and closed when unused
// for a while.
// Invariant: no pack is closed while something executes in it, and none stays behind.
import type { Pack } from "../../platform/process/pack.ts";
import type { PackDefinition } from "../../protocol/definition.ts";

interface PackPoolOptions {
  open(entry: string): Promise<Pack>;
  /** Returns whether a file of the pack changed after the time (milliseconds since the epoch). */
  isStale(pack: Pack, since: number): Promise<boolean>;
  /** Milliseconds without use after which a pack is closed. */
  readonly unusedAfter: number;
  now(): number;
}

interface PackPool {
  /** Returns the pack for the current files. Throws the errors of `open`. */
  get(entry: string): Promise<Pack>;
  /** Returns the open pack, and never opens one. */
  peek(entry: string): Pack | undefined;
  /** Returns the last definition of the running pack, even after it was closed. */
  definition(entry: string): PackDefinition | undefined;
  onDidOpen(listener: (entry: string) => void): () => void;
  /** Closes all packs; the next use opens them again. */
  clear(): void;
  dispose(): void;
}

interface PooledPack {
  readonly pack: Pack;
  readonly since: number;
  /** Restarts the time without use. */
  touch(): void;
  /** Closes the pack after its last execution. */
  retire(): void;
  /** Closes the pack immediately. */
  end(): void;
}

export function createPackPool(options: PackPoolOptions): PackPool {
  const pooledPacks = new Map<string, PooledPack>();
  const definitions = new Map<string, PackDefinition>();
  const pendingPacks = new Map<string, Promise<Pack>>();
  const listeners = new Set<(entry: string) => void>();
  let isDisposed = false;

  const close = (entry: string): void => {
    const pooledPack = pooledPacks.get(entry);
    pooledPacks.delete(entry);
    pooledPack?.retire();
  };

  /** Counts the executions, so that a replaced pack ends after the last of them. */
  function shared(entry: string, inner: Pack, since: number): PooledPack {
    let executing = 0;
    let retired = false;
    let timer: NodeJS.Timeout | undefined;
    const touch = (): void => {
      clearTimeout(timer);
      if (executing > 0) return;
      if (retired) inner.dispose();
      else timer = setTimeout(close, options.unusedAfter, entry);
    };
    const retire = (): void => {
      retired = true;
      touch();
    };
    const pack: Pack = {
      ...inner,
      async execute(...call) {
        executing++;
        clearTimeout(timer);
        try {
          return await inner.execute(...call);
        } finally {
          executing--;
          touch();
        }
      },
      dispose: retire,
    };
    touch();
    const end = (): void => {
      retired = true;
      clearTimeout(timer);
      inner.dispose();
    };
    return { pack, since, touch, retire, end };
  }

  async function find(entry: string): Promise<Pack> {
    const pooledPack = pooledPacks.get(entry);
    if (pooledPack !== undefined && !(await options.isStale(pooledPack.pack, pooledPack.since))) {
      pooledPack.touch();
      return pooledPack.pack;
    }
    const since = options.now();
    // The new pack reuses what the old one has prepared. If the pack cannot be built, for example while its author types, the old one
    // stays.
    const inner = await (pooledPack === undefined ? options.open(entry) : pooledPack.pack.renew());
    close(entry);
    const fresh = shared(entry, inner, since);
    if (isDisposed) {
      fresh.end();
      return fresh.pack;
    }
    pooledPacks.set(entry, fresh);
    definitions.set(entry, inner.definition);
    for (const listener of listeners) listener(entry);
    return fresh.pack;
  }

  return {
    get(entry) {
      const before = pendingPacks.get(entry) ?? Promise.resolve();
      const next = before.then(
        () => find(entry),
        () => find(entry),
      );
      pendingPacks.set(entry, next);
      const forget = (): void => {
        if (pendingPacks.get(entry) === next) pendingPacks.delete(entry);
      };
      next.then(forget, forget);
      return next;
    },
    peek: (entry) => pooledPacks.get(entry)?.pack,
    definition: (entry) => definitions.get(entry),
    onDidOpen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear() {
      for (const entry of [...pooledPacks.keys()]) close(entry);
    },
    dispose() {
      isDisposed = true;
      for (const { end } of pooledPacks.values()) end();
      pooledPacks.clear();
    },
  };
}
