import type { PackModel } from "../model/pack.ts";
import type { Place } from "../model/values.ts";
import { functionsOf } from "../pack/functions-of.ts";
import { loadingCode, reachableCode } from "../pack/reachable-code.ts";
import { requestsOf } from "../requests/requests.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "auth-set-late",
  severity: "warning",
  source: "auth-spec 4",
  docs: `The authentication is set too late, or never.

Call it at the top level of the file. The platform reads a pack's definition once, when it loads the pack. A call of \`setUserAuthentication\`, \`setSystemAuthentication\` or \`addNetworkDomain\` inside a formula, a sync table or a function of the authentication changes nothing. Neither does one in a timer, behind a promise or an \`await\`, or in a function that nothing calls.`,
  inSharedFiles: "all-packs",
  examples: [
    {
      bad: pack`
        const execute = async ([], context) => {
          pack.«setUserAuthentication»({ type: coda.AuthenticationType.HeaderBearerToken });
          return "";
        };
        pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute });`,
    },
    {
      bad: pack`
        setTimeout(() => {
          pack.«setUserAuthentication»({ type: coda.AuthenticationType.HeaderBearerToken });
        }, 0);`,
    },
    {
      good: pack`
        function setUp() {
          pack.addNetworkDomain("example.com");
          pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        }
        setUp();`,
    },
  ],
  on: {
    *call(pack, { place, nameSpan, method, within }) {
      if (within === undefined || !SETTERS.has(method)) return;
      if (running(pack).some(({ file, start, end }) => file === place.file && start < place.start && place.start < end))
        yield {
          place: nameSpan,
          message: `Call ${method} at the top level of the file. While the pack runs it changes nothing, because the platform has read the pack's definition by then.`,
        };
      else if (isAfterAwait(pack, place, within))
        yield {
          place: nameSpan,
          message: `Call ${method} at the top level of the file, or before the first await. Code after an await runs when the platform has read the pack's definition.`,
        };
      else if (!pack.partial && pack.complete.files && isMissed(pack, nameSpan))
        yield {
          place: nameSpan,
          message: `Call ${method} at the top level of the file. Nothing reaches this call while the file loads, and the platform reads the pack's definition right after that.`,
        };
    },
  },
});

const SETTERS: ReadonlySet<string> = new Set(["setUserAuthentication", "setSystemAuthentication", "addNetworkDomain"]);

const isAfterAwait = (pack: PackModel, { file, end }: Place, within: Place): boolean =>
  pack.facts.some((facts) => facts.file === file && facts.awaits.some((one) => one.within.start === within.start && one.place.start < end));

/** Returns whether the code does not run while the pack loads: only later code calls it, or no code does and it is not exported. */
const isMissed = (pack: PackModel, place: Place): boolean =>
  !loadingCode(pack).has(place) && (reachableCode(pack).has(place) || !reachableCode(pack).isExported(place));

/** Returns the functions that the platform calls, and all functions that these call. */
const running = (pack: PackModel): readonly Place[] => pack.memo(pack, findRunning);

function findRunning(pack: PackModel): readonly Place[] {
  const definitions = [...pack.runnables.map(({ definition }) => definition), ...pack.auths.map(({ config }) => config)];
  return definitions.flatMap((definition) =>
    functionsOf(pack, definition).functions.flatMap((value) => requestsOf(pack).reachedFrom(value).functions),
  );
}
