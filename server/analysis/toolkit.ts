// What the installed toolkit's own declarations contain: legal, whatever the built-in model lists. Read by its text, once per version.
import type { ToolkitFacts } from "./model.ts";

export interface FileReader {
  readFile(path: string): string | undefined;
}

const cache = new Map<string, ToolkitFacts | undefined>();

/** Looks upwards from the pack's folder. Undefined where no toolkit is installed. */
export function findToolkit(entry: string, modules: readonly string[], host: FileReader): ToolkitFacts | undefined {
  for (const module of modules) {
    for (let folder = parent(entry); ; folder = parent(folder)) {
      const root = `${folder === "/" ? "" : folder}/node_modules/${module}`;
      const manifest = host.readFile(`${root}/package.json`);
      if (manifest !== undefined) return readToolkit(root, manifest, host);
      if (folder === parent(folder)) break;
    }
  }
  return undefined;
}

function readToolkit(root: string, manifest: string, host: FileReader): ToolkitFacts | undefined {
  const version = /"version"\s*:\s*"([^"]+)"/.exec(manifest)?.[1] ?? "";
  const key = `${root}@${version}`;
  if (!cache.has(key)) {
    const text = host.readFile(`${root}/dist/types.d.ts`);
    cache.set(key, text === undefined ? undefined : { version, ...readDeclarations(text) });
  }
  return cache.get(key);
}

function readDeclarations(text: string): Omit<ToolkitFacts, "version"> {
  const types = /enum AuthenticationType \{([\s\S]*?)\n\}/.exec(text)?.[1] ?? "";
  const authenticationTypes = new Set([...types.matchAll(/^\s*(\w+) = "/gm)].map((match) => match[1] ?? ""));
  const fields = new Set<string>();
  for (const declaration of text.matchAll(/interface (?:\w*Authentication|SetEndpoint)\b[^{]*\{([\s\S]*?)\n\}/g)) {
    for (const field of (declaration[1] ?? "").matchAll(/^ {4}(\w+)\??:/gm)) fields.add(field[1] ?? "");
  }
  return { authenticationTypes, fields };
}

export function parent(path: string): string {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at <= 0 ? "/" : path.slice(0, at);
}
