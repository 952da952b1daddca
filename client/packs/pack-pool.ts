// The open packs of a window: each is opened once however many ask at a time, opened anew after its sources changed, and closed
// when nobody has used it for a while. Invariant: no pack is closed while something executes in it, and none stays behind.
import type { Pack } from "../../platform/process/pack.ts";
import type { PackDefinition } from "../../protocol/definition.ts";

interface PackPoolOptions {
  open(entry: string): Promise<Pack>;
  /** Whether a file of the pack changed after the time (milliseconds since the epoch). */
  isStale(pack: Pack, since: number): Promise<boolean>;
  /** Milliseconds without use after which a pack is closed. */
  readonly unusedAfter: number;
  now(): number;
}

interface PackPool {
  /** The pack as its files are now. Throws what `open` throws. */
  get(entry: string): Promise<Pack>;
  /** What is open, without opening anything. */
  peek(entry: string): Pack | undefined;
  /** The last definition that the running pack gave, even where it is closed by now. */
  definition(entry: string): PackDefinition | undefined;
  onDidOpen(listener: (entry: string) => void): () => void;
  /** Closes everything; the next use opens anew. */
  clear(): void;
  dispose(): void;
}

interface PooledPack {
  readonly pack: Pack;
  readonly since: number;
  /** Somebody uses it: the time without use begins anew. */
  touch(): void;
  /** Closes it after the last execution. */
  retire(): void;
  /** Closes it now. */
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

  /** Counts the executions, so that a pack that was replaced meanwhile ends after the last of them. */
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
    // What the old one has standing ready serves the new one. A pack that cannot be built just now (it is being typed) keeps it.
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
