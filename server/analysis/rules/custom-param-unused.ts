import { closest } from "../closest.ts";
import { fieldValue, knownAuths, propertyOf } from "../config.ts";
import type { AuthConfig, FileFacts, PackModel } from "../model.ts";
import { isOwnModule } from "../modules.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "custom-param-unused",
  severity: "warning",
  source: "auth-spec 5.4",
  docs: `A param of the Custom authentication is asked of every user, and no request uses it.

The platform sends nothing of \`Custom\` by itself: a value goes out only where the code writes its placeholder, \`{{name-<invocationToken>}}\`. Put the placeholder into the request, or remove the param.`,
  inSharedFiles: "all-packs",
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }, { name: «"secret"», description: "Secret" }] });\nexport const url = (context) => {\n  if (!context) throw new coda.UserVisibleError("No context");\n  return \`https://example.com/?key={{key-\${context.invocationToken}}}\`;\n};\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });\nexport const url = (context) => "https://example.com/?key=" + ["{{", "key", "-", context.invocationToken, "}}"].join("");\n`,
    },
  ],
  types: ["Custom"],
  *check(pack) {
    const customs = knownAuths(pack).filter((auth) => auth.type === "Custom");
    if (customs.length === 0 || !pack.authsComplete || !pack.complete.files) return;
    if (pack.placeholders.some(({ name }) => name === undefined)) return;
    // A pack that has nothing to run yet is being written; one that builds no placeholder itself may have a package do it.
    if (pack.placeholders.length === 0 && (pack.runnables.length === 0 || !pack.complete.packages)) return;
    if (pack.facts.some((file) => givesContextAway(pack, file))) return;
    const used = new Set(pack.placeholders.flatMap(({ name }) => name ?? []));
    const declared = new Set(customs.flatMap((auth) => namesOf(pack, auth)));
    // placeholder-undeclared speaks of these.
    const misspelt = new Set([...used].filter((name) => !declared.has(name)).map((name) => closest(name, declared)));
    let sources: readonly string[] | undefined;
    for (const auth of customs) {
      const params = fieldValue(pack, auth, "params");
      if (params?.kind !== "array") continue;
      for (const item of params.items) {
        const param = pack.resolve(item);
        const property = param.kind === "object" ? propertyOf(param, "name") : undefined;
        const name = property === undefined ? undefined : pack.resolve(property.value);
        if (property === undefined || name?.kind !== "string" || name.value === "") continue;
        if (used.has(name.value) || misspelt.has(name.value)) continue;
        sources ??= pack.files.map(pack.text);
        // Put together in a way that is not read here, or written in a way that placeholder-malformed speaks of.
        if (sources.some((source) => mayBuild(source, name.value))) continue;
        yield {
          place: property.value,
          message: `Users are asked for ${name.value}, and no request has its placeholder, so it is never sent. Write {{${name.value}-<invocationToken>}} where it belongs, or remove the param.`,
        };
      }
    }
  },
});

/** To a package's function or class, which may put placeholders in. */
function givesContextAway(pack: PackModel, { file, contextCalls, imports, text }: FileFacts): boolean {
  const isForeign = (name: string | undefined): boolean => {
    const module = imports.get(name ?? "")?.module;
    return module !== undefined && !isOwnModule(module) && !pack.isToolkit(module, file);
  };
  return (
    contextCalls.some(({ callee, fetches }) => fetches !== "yes" && callee.kind === "reference" && isForeign(callee.path[0])) ||
    [...text.matchAll(/\bnew\s+(\w+)/g)].some(([, name]) => isForeign(name))
  );
}

function namesOf(pack: PackModel, auth: AuthConfig): readonly string[] {
  const params = fieldValue(pack, auth, "params");
  return (params?.kind === "array" ? params.items : []).flatMap((item) => {
    const param = pack.resolve(item);
    const property = param.kind === "object" ? propertyOf(param, "name") : undefined;
    const name = property === undefined ? undefined : pack.resolve(property.value);
    return name?.kind === "string" ? name.value : [];
  });
}

/** A brace with this name behind it, or a `{{` with a name that is computed. */
function mayBuild(source: string, name: string): boolean {
  for (const [, double, after = ""] of source.matchAll(/\{(\{?)\s*([^{}]{0,80})/g)) {
    if (after.startsWith(`${name}-`) || (double !== "" && after.startsWith(name))) return true;
    if (double !== "" && !/^[\w.-]/.test(after)) return true;
  }
  return false;
}
