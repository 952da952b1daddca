import { fieldValue, fix, isNothing, nameOf, propertyOf, type ResolvedAuth, removal, valueIn } from "../configuration/config.ts";
import { enumText } from "../configuration/starter-values.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue, Property } from "../model/values.ts";
import { bearer, pack, rule } from "../rule.ts";
import { isOwn, replace } from "../text/edit.ts";

export default rule({
  id: "field-deprecated",
  severity: "warning",
  verdict: "will-be-rejected",
  source: "sdk-facts 1",
  docs: `The code uses a field that the Packs SDK no longer supports.

\`network\` of formulas became \`connectionRequirement\` (and \`isAction\`), \`deferConnectionSetup\` has no successor, and a step's \`getOptionsFormula\` became \`getOptions\`. Use the new name. With Packs SDK 1.0 or later \`getOptionsFormula\` is an error, because the upload rejects it.`,
  supersedes: ["field-unknown"],
  examples: [
    {
      bad: bearer`
        postSetup: [{
          type: coda.PostSetupType.SetEndpoint,
          name: "Site",
          description: "Choose",
          «getOptionsFormula»: async function (context) { return []; },
        }],`,
      change: ["getOptionsFormula", "getOptions"],
      toolkit: "installed",
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        pack.addFormula({
          name: "Send",
          description: "Sends it.",
          parameters: [],
          resultType: coda.ValueType.String,
          «network»: { hasSideEffect: true, requiresConnection: true },
          execute: async () => "",
        });`,
      change: [
        "network: { hasSideEffect: true, requiresConnection: true }",
        "isAction: true, connectionRequirement: coda.ConnectionRequirement.Required",
      ],
    },
    {
      good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", async getOptionsFormula(context) { return []; } }] });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      for (const { field, property } of auth.fields) {
        if (field.deprecated === undefined) continue;
        yield {
          place: nameOf(property),
          message: `Remove ${field.name}. The Packs SDK no longer uses it.`,
          fixes: () => removal(pack, auth.config, property),
        };
      }
      yield* oldOptions(pack, auth);
    },
    *runnable(pack, { definition }) {
      const inner = valueIn(pack, definition, "formula");
      for (const object of inner?.kind === "object" ? [definition, inner] : [definition]) yield* oldNetwork(pack, object);
    },
  },
});

/** Returns whether the SDK accepts the new name, and its upload rejects the old one. */
const rejectsOldOptions = ({ toolkit }: PackModel): boolean =>
  toolkit?.innerFields.get("postSetup")?.has("getOptions") === true && Number.parseInt(toolkit.version, 10) >= 1;

function* oldOptions(pack: PackModel, auth: ResolvedAuth): Iterable<Finding> {
  const steps = rejectsOldOptions(pack) ? fieldValue(pack, auth, "postSetup") : undefined;
  for (const item of steps?.kind === "array" ? steps.items : []) {
    const step = pack.resolve(item);
    const property = step.kind === "object" ? propertyOf(step, "getOptionsFormula") : undefined;
    if (step.kind !== "object" || property === undefined || pack.resolve(property.value).kind === "undefined") continue;
    // The SDK removes empty fields only from the users' authentication.
    const isLeftOut = auth.scope === "user" && isNothing(pack.resolve(property.value));
    const isShorthand = property.span.end === property.nameSpan.end;
    yield {
      place: nameOf(property),
      ...(isLeftOut ? {} : { severity: "error" as const }),
      message: `${isLeftOut ? "Remove getOptionsFormula. It is the former name of getOptions, and it has no value." : "Rename it to getOptions. The upload rejects the former name getOptionsFormula with the Packs SDK that is installed."}`,
      fixes: () =>
        propertyOf(step, "getOptions") !== undefined
          ? removal(pack, step, property)
          : isOwn(step, property)
            ? [fix("Rename to getOptions", replace(nameOf(property), isShorthand ? "getOptions: getOptionsFormula" : "getOptions"))]
            : [],
    };
  }
}

function* oldNetwork(pack: PackModel, definition: ObjectValue): Iterable<Finding> {
  const property = propertyOf(definition, "network");
  if (property === undefined || pack.resolve(property.value).kind === "undefined") return;
  yield {
    place: nameOf(property),
    message: "Use connectionRequirement and isAction. network is deprecated, and later versions may reject it.",
    fixes: () => successors(pack, definition, property),
  };
}

/** Returns a fix with the successor fields, if the old field is fully known and no successor exists yet. */
function successors(pack: PackModel, definition: ObjectValue, property: Property): readonly Fix[] {
  const network = pack.resolve(property.value);
  const hasSuccessor = ["isAction", "connectionRequirement"].some((name) => propertyOf(definition, name) !== undefined);
  if (network.kind !== "object" || network.open || definition.open || hasSuccessor || !isOwn(definition, property)) return [];
  let isAction = false;
  let requirement: string | undefined;
  for (const { name, value: sourceValue } of network.properties) {
    const value = pack.resolve(sourceValue);
    const member =
      sourceValue.kind === "reference" && sourceValue.path.at(-2) === "NetworkConnection" ? sourceValue.path.at(-1) : undefined;
    if (name === "connection" && member !== undefined) requirement = member;
    else if (value.kind !== "boolean") return [];
    else if (name === "hasSideEffect") isAction = value.value;
    else if (name === "requiresConnection") requirement ??= value.value ? "Required" : "None";
    else return [];
  }
  const fields = [
    ...(isAction ? ["isAction: true"] : []),
    ...(requirement === undefined
      ? []
      : [`connectionRequirement: ${enumText(pack, definition.place.file, "ConnectionRequirement", requirement)}`]),
  ];
  return fields.length === 0
    ? removal(pack, definition, property)
    : [fix(`Replace network with ${fields.join(", ")}`, replace(property.span, fields.join(", ")))];
}
