import { closest } from "../closest.ts";
import { fieldValue, knownAuths, propertyOf, propose, respell } from "../config.ts";
import { isWithin, replace } from "../edit.ts";
import type { ObjectValue, PackModel, TextEdit } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "placeholder-undeclared",
  severity: "error",
  source: "auth-spec 5.4",
  docs: `A placeholder \`{{name-<invocationToken>}}\` names no declared param of the Custom authentication.

The platform has no value to put there, and the request would go out with the placeholder as it stands. Correct the name, or declare the param.`,
  inSharedFiles: "all-packs",
  examples: [
    {
      bad: `// @file: pack.ts\nimport * as coda from "@codahq/packs-sdk";\nimport { get } from "./requests";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });\nget;\n// @file: requests.ts\nexport async function get(context) {\n  const { invocationToken } = context;\n  return context.fetcher.fetch({ method: "GET", url: \`https://example.com/?key={{«apikey»-\${invocationToken}}}\` });\n}\n`,
      fixed: `// @file: pack.ts\nimport * as coda from "@codahq/packs-sdk";\nimport { get } from "./requests";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });\nget;\n// @file: requests.ts\nexport async function get(context) {\n  const { invocationToken } = context;\n  return context.fetcher.fetch({ method: "GET", url: \`https://example.com/?key={{apiKey-\${invocationToken}}}\` });\n}\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });\nexport function url(context, name) {\n  return \`https://example.com/?a={{key-\${context.invocationToken}}}&b={{\${name}-\${context.invocationToken}}}\` + "&c={{key-" + context.invocationToken + "}}";\n}\n`,
    },
  ],
  types: ["Custom"],
  about: "placeholder",
  *check(pack) {
    const customs = knownAuths(pack).filter((auth) => auth.type === "Custom");
    if (pack.partial || customs.length === 0 || customs.length !== pack.auths.length) return;
    const names = new Set<string>();
    let list: (ReturnType<typeof pack.resolve> & { kind: "array" }) | undefined;
    for (const auth of customs) {
      const params = fieldValue(pack, auth, "params");
      if (params?.kind !== "array" || params.open) return;
      list = params;
      for (const item of params.items) {
        const param = pack.resolve(item);
        const name = param.kind === "object" ? propertyOf(param, "name") : undefined;
        const text = name === undefined ? undefined : pack.resolve(name.value);
        // A name that cannot be read may be the one.
        if (text?.kind !== "string") return;
        names.add(text.value);
      }
    }
    for (const placeholder of pack.placeholders) {
      const { name } = placeholder;
      if (name === undefined || names.has(name)) continue;
      const near = closest(name, names);
      const declare = list === undefined ? undefined : declareParam(pack, list, name);
      yield {
        place: placeholder,
        message: `No param is called ${name}, so the platform puts no value there. ${near === undefined ? `Declared are: ${[...names].join(", ") || "none"}.` : `Did you mean ${near}?`}`,
        fixes: () => [
          ...(near === undefined || placeholder.parts !== undefined ? [] : [respell(`Change to ${near}`, replace(placeholder, near))]),
          ...(declare === undefined ? [] : [propose(`Declare the param ${name}`, declare)]),
        ],
      };
    }
  },
});

function declareParam(
  pack: PackModel,
  list: { readonly items: readonly unknown[] } & ReturnType<PackModel["resolve"]>,
  name: string,
): TextEdit | undefined {
  if (list.kind !== "array") return undefined;
  const entry = `{ name: ${JSON.stringify(name)}, description: "" }`;
  const last = list.items.at(-1) as ObjectValue | undefined;
  if (last === undefined) return { file: list.file, start: list.start, end: list.end, text: `[${entry}]` };
  if (!isWithin(last, list)) return undefined;
  const source = pack.text(list.file);
  const lineStart = source.lastIndexOf("\n", last.start - 1) + 1;
  const indent = source.slice(lineStart, last.start);
  return {
    file: list.file,
    start: last.end,
    end: last.end,
    text: indent.trim() === "" && lineStart > list.start ? `,\n${indent}${entry}` : `, ${entry}`,
  };
}
