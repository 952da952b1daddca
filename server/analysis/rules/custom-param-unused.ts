import { customParams, placeholderOf } from "../configuration/config.ts";
import type { FileFacts } from "../model/facts.ts";
import type { Place } from "../model/values.ts";
import { contextEscapes, mayBuildPlaceholders } from "../pack/context-escapes.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "custom-param-unused",
  severity: "warning",
  source: "auth-spec 5.4",
  docs: `Users must enter a param of the Custom authentication that no request uses.

The platform sends nothing of \`Custom\` by itself: a value goes out only where the code writes its placeholder, \`{{name-<invocationToken>}}\`. Put the placeholder into the request, or remove the param.`,
  inSharedFiles: "all-packs",
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }, { name: «"secret"», description: "Secret" }] });
        export const url = (context) => {
          if (!context) throw new coda.UserVisibleError("No context");
          return \`https://acme.example/?key={{key-\${context.invocationToken}}}\`;
        };`,
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
        export const url = (context) => "https://acme.example/?key=" + ["{{", "key", "-", context.invocationToken, "}}"].join("");`,
    },
  ],
  on: {
    *pack(pack) {
      const params = customParams(pack);
      if (params.length === 0 || !pack.authsComplete || !pack.complete.files) return;
      if (pack.placeholders.some(({ name }) => name === undefined)) return;
      // A pack without formulas is still being written.
      if (pack.placeholders.length === 0 && (pack.runnables.length === 0 || mayBuildPlaceholders(pack))) return;
      if (contextEscapes(pack)) return;
      const usedNames = new Set(pack.placeholders.flatMap(({ name }) => name ?? []));
      const declared = new Set(params.flatMap(({ name }) => name ?? []));
      // The rule placeholder-undeclared reports the name that is meant for the param.
      if ([...usedNames].some((name) => !declared.has(name))) return;
      const helpers = pack.placeholders.flatMap(({ builtBy }) => builtBy ?? []);
      for (const { name, property } of params) {
        if (property === undefined || name === undefined || name === "" || usedNames.has(name)) continue;
        // The placeholder may be built in a way that the analysis cannot follow, or placeholder-malformed reports it.
        if (pack.facts.some((file) => mayBuild(file, name, helpers))) continue;
        yield {
          place: property.value.place,
          message: `Write ${placeholderOf(name)} where the value belongs, or remove the param. Users are asked for ${name}, and no request has its placeholder.`,
        };
      }
    },
  },
});

/** Returns whether a text has a brace before this name, or a `{{` before a name that is computed by other code than the helpers. */
const mayBuild = ({ text, bracedTexts, uses }: FileFacts, name: string, helpers: readonly Place[]): boolean =>
  uses("reads", "repeat") ||
  uses("reads", "fromCharCode") ||
  bracedTexts.some(({ file, start, end }) =>
    [...text.slice(start, end).matchAll(/\{(\{?)\s*([^{}]{0,80})/g)].some(({ 0: whole, 1: double, 2: after = "", index }) => {
      const last = start + index + whole.length + 2;
      const isOfHelper = helpers.some((part) => part.file === file && part.start > start + index && part.start <= last);
      return after.startsWith(`${name}-`) || (double !== "" && (after.startsWith(name) || (!/^[\w.-]/.test(after) && !isOfHelper)));
    }),
  );
