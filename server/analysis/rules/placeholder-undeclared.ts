import { closest } from "../../../base/closest.ts";
import { customParamNames, fieldValue, propose, respell } from "../configuration/config.ts";
import { placeIn, textsOf } from "../requests/placeholder-texts.ts";
import { pack, rule, source } from "../rule.ts";
import { insertItem, replace } from "../text/edit.ts";

export default rule({
  id: "placeholder-undeclared",
  severity: "error",
  verdict: "fails-when-run",
  source: "auth-spec 5.4",
  docs: `A placeholder \`{{name-<invocationToken>}}\` names no declared param of the Custom authentication.

Correct the name, or declare the param. The platform has no value to put there, so the request would contain the placeholder itself.`,
  inSharedFiles: "all-packs",
  examples: [
    {
      bad: source`
        // @file: pack.ts
        import * as coda from "@codahq/packs-sdk";
        import { get } from "./requests";
        export const pack = coda.newPack();
        pack.addNetworkDomain("example.com");
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });
        get;
        // @file: requests.ts
        export async function get(context) {
          const { invocationToken } = context;
          return context.fetcher.fetch({ method: "GET", url: \`https://example.com/?key={{«apikey»-\${invocationToken}}}\` });
        }`,
      change: ["apikey", "apiKey"],
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
        export function url(context, name) {
          return \`https://acme.example/?a={{key-\${context.invocationToken}}}&b={{\${name}-\${context.invocationToken}}}\` + "&c={{key-" + context.invocationToken + "}}";
        }`,
    },
  ],
  on: {
    *placeholder(pack, placeholder) {
      const { name } = placeholder;
      const names = pack.partial || name === undefined ? undefined : customParamNames(pack);
      if (name === undefined || names === undefined || isDeclared(name, names)) return;
      const near = closest(
        name,
        [...names].filter((declared) => declared === declared.trim()),
      );
      yield {
        place: placeholder.place,
        message: `${near === undefined ? `Use a declared param: ${[...names].join(", ") || "there are none"}.` : `Did you mean ${near}?`} No param is called ${name}, so the platform puts no value there.`,
        fixes: () => {
          const last = pack.auths.at(-1);
          const params = last === undefined ? undefined : fieldValue(pack, last, "params");
          const entry = `{ name: ${JSON.stringify(name)}, description: "" }`;
          const declare = params?.kind === "array" ? insertItem(pack, params, entry) : undefined;
          return [
            ...(near === undefined || placeholder.parts !== undefined
              ? []
              : [respell(`Change to ${near}`, replace(placeholder.place, near))]),
            ...(declare === undefined ? [] : [propose(`Declare the param ${name}`, declare)]),
          ];
        },
      };
    },
    /** Reports the placeholders that code outside the request builds, once for each request. */
    *pack(pack) {
      const names = customParamNames(pack);
      if (pack.partial || names === undefined) return;
      for (const text of textsOf(pack))
        for (const { 1: name = "", index } of text.request === undefined ? [] : text.text.matchAll(PLACEHOLDER)) {
          const place = placeIn(pack, text, index + 2, index + 2 + name.length);
          if (place !== undefined && !isDeclared(name, names) && !pack.placeholders.some((other) => other.name === name))
            yield { place, message: `Use a declared param. No param is called ${name}, so the platform puts no value there.` };
        }
    },
  },
});

/** Matches a placeholder in a text of a request, where one character is the invocation token and another an unknown value. */
const PLACEHOLDER = /\{\{([^{}\uE001\uE002]{1,99})-\uE001\}\}/g;

/** Whether a param is called so, or another rule reports the names: an empty one, or one with spaces around it. */
const isDeclared = (name: string, names: ReadonlySet<string>): boolean =>
  names.has("") || [...names].some((declared) => declared.trim() === name || declared === name);
