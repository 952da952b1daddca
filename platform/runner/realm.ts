// Creates one vm context for one pack, closes what a bare context leaves open, and runs code in it.
import { createContext, Script } from "node:vm";
import type { ThrownError } from "../../protocol/pack-process.ts";
import { REALM_SOURCE } from "./realm-source.ts";

export interface Realm {
  /** Runs the SDK's bundle, which all packs share. Returns the error if the code threw. */
  prepare(code: string, filename: string): ThrownError | undefined;
  /** Runs the pack's bundle and adopts its exports. Returns the error if the code threw. The definition is sent as a message. */
  load(code: string, filename: string): ThrownError | undefined;
  /** Runs the SDK's upload validator, for which a message to the realm follows. Returns the error if the code threw. */
  addValidator(code: string, filename: string): ThrownError | undefined;
  /** Passes a message of the host to the realm. */
  receive(json: string, attachment: string | undefined): void;
  /** Runs a script in the realm and resolves to its completion value as a string. It is used by the self-test. */
  probe(source: string): Promise<string>;
}

interface RealmHost {
  send(json: string, attachment?: string): void;
  /** Returns `count` random bytes as hex. */
  random(count: number): string;
  /** Whether a text is an absolute URL, for the upload validator: the realm has no URL. */
  isUrl(text: unknown): boolean;
}

/** The functions that the realm's own code returns. Every member takes and returns primitives, or an error of the realm. */
interface RealmControls {
  adoptToolkit(): void;
  adopt(): void;
  receive(json: string, attachment: string | undefined): void;
  describeThrown(error: unknown): string;
  importRefused(): unknown;
}

/** Compiled once, so that each further realm reuses V8's compiled code. The script contains no import(). */
let realmCode: Script | undefined;

export function createRealm(host: RealmHost): Realm {
  const context = createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: true },
    microtaskMode: undefined,
  } as Parameters<typeof createContext>[1]);
  let controls: RealmControls | undefined;

  // Without this callback a literal import() rejects with an error of the outer realm, through which pack code could leave the realm.
  const importModuleDynamically = (): never => {
    throw controls?.importRefused();
  };
  const script = (source: string, filename: string): Script =>
    new Script(source, { filename, importModuleDynamically: importModuleDynamically as never });

  // Removes what a bare context has and the platform's runtime lacks (sdk-facts 4). WebAssembly's streaming functions call a function of
  // the outer realm. Its errors and arguments would let pack code leave the realm.
  script(
    "globalThis.eval = undefined; delete WebAssembly.compileStreaming; delete WebAssembly.instantiateStreaming;",
    "pack-auth:prepare",
  ).runInContext(context);
  realmCode ??= new Script(REALM_SOURCE, { filename: "pack-auth:realm" });
  const factory = realmCode.runInContext(context) as (
    send: RealmHost["send"],
    random: RealmHost["random"],
    isUrl: RealmHost["isUrl"],
  ) => RealmControls;
  controls = factory(host.send, host.random, host.isUrl);
  const realm = controls;

  /** Runs `work` and returns the error that it threw, described by the realm itself. */
  const attempt = (work: () => void): ThrownError | undefined => {
    try {
      work();
    } catch (error) {
      return JSON.parse(realm.describeThrown(error)) as ThrownError;
    }
    return undefined;
  };

  return {
    prepare: (code, filename) =>
      attempt(() => {
        script(code, filename).runInContext(context);
        realm.adoptToolkit();
      }),
    load(code, filename) {
      const failure = attempt(() => void script(code, filename).runInContext(context));
      if (failure === undefined) realm.adopt();
      return failure;
    },
    addValidator: (code, filename) => attempt(() => void script(code, filename).runInContext(context)),
    receive: (json, attachment) => realm.receive(json, attachment),
    async probe(source) {
      try {
        return String(await script(source, "pack-auth:probe").runInContext(context));
      } catch (error) {
        return `threw ${(JSON.parse(realm.describeThrown(error)) as ThrownError).name}`;
      }
    },
  };
}
