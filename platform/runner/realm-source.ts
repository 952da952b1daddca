// The code that runs first inside the pack's realm. It is source text and not a module of the outer program. Everything that pack code can
// reach must be created inside the realm, so that no constructor chain leads out of it.
// Invariant: the functions of the outer realm (`send`, `random`, `isUrl`) stay in this closure, take and return primitives, and their errors
// never escape.
// The parts in realm/ form one closure in this order: each uses names of the parts before it.
import { DEFINITION } from "./realm/definition.ts";
import { EXECUTION } from "./realm/execution.ts";
import { FETCHES } from "./realm/fetches.ts";
import { GLOBALS } from "./realm/globals.ts";
import { INTRINSICS } from "./realm/intrinsics.ts";
import { PLATFORM_DIFFERENCES } from "./realm/platform-differences.ts";
import { TARGETS } from "./realm/targets.ts";
import { VALIDATION } from "./realm/validation.ts";
import { VALUES } from "./realm/values.ts";

/**
 * Source of a function expression `(send, random, isUrl) => { receive(json, attachment), importRefused(), … }`. `send` takes a JSON string and the
 * text of an attached body. `random(count)` returns `count` bytes as hex, `isUrl(text)` a boolean.
 */
export const REALM_SOURCE = `
(function (send, random, isUrl) {
  "use strict";
${INTRINSICS}

${GLOBALS}

${VALUES}

${PLATFORM_DIFFERENCES}

${FETCHES}

${DEFINITION}

${TARGETS}

${EXECUTION}

${VALIDATION}

  return freeze({
    /** After the toolkit's bundle ran: what every pack needs of it. */
    adoptToolkit() {
      const shared = globalThis.__packAuthToolkit;
      toolkit = shared.toolkit;
      RealmBuffer = shared.buffer.Buffer;
      define("Buffer", RealmBuffer);
    },
    /** After the bundle ran: take the pack out of its exports. */
    adopt() {
      try {
        const bundled = globalThis.__packAuthExports;
        delete globalThis.__packAuthExports;
        delete globalThis.__packAuthToolkit;
        const module = bundled && bundled.default && !bundled.pack && !bundled.manifest ? bundled.default : bundled;
        pack = module && (module.pack || module.manifest || (module.formulas || module.syncTables || module.defaultAuthentication ? module : undefined));
        exported = bundled && (bundled.pack || bundled.manifest);
        if (!pack || typeof pack !== "object") {
          post({ type: "loadFailed", error: { name: "NotExported", message: "The entry file exports no pack." } });
          return;
        }
        const isNamed = bundled.pack === pack || bundled.manifest === pack;
        post({ type: "loaded", definition: { ...definitionOf(), isUnnamed: isNamed ? undefined : true } });
      } catch (error) {
        post({ type: "loadFailed", error: thrown(error) });
      }
    },
    receive(json, attachment) {
      const message = parse(json);
      if (message.type === "execute") { void execute(message); return; }
      if (message.type === "validate") { void validate(message); return; }
      const entry = waiting.get(message.fetchId);
      if (!entry) return;
      waiting.delete(message.fetchId);
      try {
        if (message.type === "fetched") entry.resolve(responseOf(message.response, attachment)); else entry.reject(failureOf(message.error, attachment));
      } catch (error) { entry.reject(error); }
    },
    describeThrown(error) { return stringify(thrown(error)); },
    importRefused() { return new RealmError("The platform has no dynamic import: import the module at the top of the file instead."); },
  });
})
`;
