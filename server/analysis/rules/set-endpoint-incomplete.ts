import { ENUMS } from "../../../spec/fields.ts";
import { fieldValue, fix, isNewerValue, isNoText, isNothing, mayBeNewer, propertyOf, propose, valueIn } from "../configuration/config.ts";
import { offeredEndpoints } from "../configuration/endpoint-source.ts";
import { enumText } from "../configuration/starter-values.ts";
import { withScheme } from "../domains/url-value.ts";
import type { Finding } from "../model/findings.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Expression, ObjectValue } from "../model/values.ts";
import { bearer, pack, rule, source } from "../rule.ts";
import { insertProperty, quoteLike, replace } from "../text/edit.ts";

export default rule({
  id: "set-endpoint-incomplete",
  severity: "error",
  verdict: "will-be-rejected",
  source: "auth-spec 2.4",
  docs: `A step of \`postSetup\` lacks what it needs.

Add what is missing. A SetEndpoint step has \`type\`, \`name\`, \`description\` and \`getOptions\`. Without one of them the platform rejects the pack, or the Packs SDK throws an unclear error while the pack loads. Two steps of one name are a warning, because it is not defined which choice is kept.`,
  supersedes: ["field-missing"],
  examples: [
    {
      bad: bearer`
        postSetup: [«{
          type: coda.PostSetupType.SetEndpoint,
          name: "Site",
          getOptions: async function (context) { return []; },
        }»],`,
      change: ["}]", '  description: "Choose your site",\n  }]'],
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: «"SetEndpoint"», name: "Site", description: "Choose", getOptions: async () => [] }] });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async () => [] }] });`,
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        import { step } from "elsewhere";
        export const pack = coda.newPack();
        pack.addNetworkDomain("example.com");
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ ...step, name: "Site" }, { type: coda.PostSetupType.SetEndpoint, name: "Region", description: "Choose", async getOptionsFormula(context) { return []; } }] });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      const steps = fieldValue(pack, auth, "postSetup");
      if (steps?.kind !== "array") return;
      const names = new Set<string>();
      for (const item of steps.items) {
        const step = pack.resolve(item);
        if (step.kind !== "object") continue;
        // The fields of a step are unknown if only the installed SDK, or a newer one, has its kind.
        if (!isNewKind(pack, step)) yield* missing(pack, step);
        const type = propertyOf(step, "type");
        const name = propertyOf(step, "name");
        if (type !== undefined) yield* unknownType(pack, type.value);
        const text = name === undefined ? undefined : pack.resolve(name.value);
        if (text?.kind !== "string" || name === undefined) continue;
        if (names.has(text.value))
          yield {
            place: name.value.place,
            severity: "warning",
            message: `Give each step a name of its own. Two are called ${text.value}, and which choice is kept is not defined.`,
          };
        names.add(text.value);
      }
      yield* badEndpoints(pack, auth);
    },
  },
});

/** The value for each missing field of a step. */
const STARTERS: Readonly<Record<string, string>> = {
  name: '"SelectEndpoint"',
  description: '"Choose your site"',
  getOptions: "async function (context) { return []; }",
  getOptionsFormula: "async function (context) { return []; }",
};

function* missing(pack: PackModel, step: ObjectValue): Iterable<Finding> {
  if (step.open) return;
  const has = (name: string): boolean => {
    const property = propertyOf(step, name);
    return property !== undefined && pack.resolve(property.value).kind !== "undefined";
  };
  const absent = ["type", "name", "description"].filter((name) => !has(name));
  const options = pack.toolkit?.innerFields.get("postSetup")?.has("getOptions") === false ? "getOptionsFormula" : "getOptions";
  // The SDK tests whether the value is truthy.
  const isThere = (name: string): boolean => {
    const property = propertyOf(step, name);
    return has(name) && !(property !== undefined && isNothing(pack.resolve(property.value)));
  };
  if (!isThere("getOptions") && !isThere("getOptionsFormula")) absent.push(options);
  const [first] = absent;
  if (first === undefined) return;
  const starter = (name: string): string =>
    `${name}: ${name === "type" ? enumText(pack, step.place.file, "PostSetupType", "SetEndpoint") : STARTERS[name]}`;
  const [presentProperty] = step.properties.filter((property) => absent.includes(property.name));
  yield {
    place: step.place,
    message: `Add ${absent.join(", ")} to this step. Without it ${absent.some((name) => name !== "type") ? "the pack cannot be built or is rejected" : "the platform cannot know what to ask the user for"}.`,
    // The author must fill in a field that is `undefined`. There is only one type, so that fix is safe; only the author knows the other
    // values.
    fixes: () =>
      presentProperty === undefined
        ? [
            (absent.length === 1 && first === "type" ? fix : propose)(
              `Add ${absent.join(", ")}`,
              insertProperty(pack, step, absent.map(starter).join(", ")),
            ),
          ]
        : [],
  };
}

function* unknownType(pack: PackModel, sourceValue: Expression): Iterable<Finding> {
  const type = pack.resolve(sourceValue);
  const isSupported =
    type.kind === "member"
      ? pack.toolkit?.enums.get("PostSetupType")?.has(type.name) || Object.hasOwn(ENUMS.PostSetupType, type.name)
      : type.kind === "string"
        ? type.value === ENUMS.PostSetupType.SetEndpoint || isNewerValue(pack, "PostSetupType", type.value)
        : !isNoText(type);
  if (isSupported) return;
  yield {
    place: sourceValue.place,
    ...(mayBeNewer(pack, type) ? { severity: "warning" as const } : {}),
    message: "Use PostSetupType.SetEndpoint. There is no other kind of step, and the platform rejects the pack.",
    fixes: () =>
      sourceValue.kind === "reference"
        ? []
        : [
            fix(
              "Change to SetEndpoint",
              replace(sourceValue.place, enumText(pack, sourceValue.place.file, "PostSetupType", "SetEndpoint")),
            ),
          ],
  };
}

function isNewKind(pack: PackModel, step: ObjectValue): boolean {
  const type = valueIn(pack, step, "type");
  return (
    type?.kind === "member" &&
    !Object.hasOwn(ENUMS.PostSetupType, type.name) &&
    (mayBeNewer(pack, type) || pack.toolkit?.enums.get("PostSetupType")?.has(type.name) === true)
  );
}

/** Reports literal endpoints that are not https URLs; url-insecure reports http. */
function* badEndpoints(pack: PackModel, auth: AuthConfig): Iterable<Finding> {
  for (const { place, value } of offeredEndpoints(pack, auth)) {
    if (value.kind !== "string" || /^https?:\/\//i.test(value.value) || value.value.includes("${")) continue;
    const whole = withScheme(value.value);
    yield {
      place,
      verdict: "fails-when-run",
      message: `Write the whole URL${whole === undefined ? "" : `: ${whole}`}. The endpoint ${JSON.stringify(value.value.slice(0, 80))} is not an https URL, so no request could be sent to it.`,
      fixes: () =>
        whole === undefined || value.place.start !== place.start
          ? []
          : [fix(`Change to ${whole}`, replace(place, quoteLike(pack, place, whole)))],
    };
  }
}
