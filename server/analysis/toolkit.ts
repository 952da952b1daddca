// What the installed toolkit's own declarations contain: legal, whatever the built-in model lists. Read by its syntax, once per version.
import { ts } from "ts-morph";
import type { ToolkitFacts } from "./model.ts";

export interface FileReader {
  readFile(path: string): string | undefined;
}

/** Finds the toolkit that is installed for a file, looking upwards from its folder. */
export interface ToolkitFinder {
  /** Undefined where none is installed, or its declarations cannot be read. */
  find(file: string): ToolkitFacts | undefined;
  /** Something may have been installed or removed. */
  forget(): void;
}

export function createToolkitFinder(modules: (file: string) => readonly string[], host: FileReader): ToolkitFinder {
  const byFolder = new Map<string, ToolkitFacts | undefined>();
  const byVersion = new Map<string, ToolkitFacts>();

  function read(root: string): ToolkitFacts | undefined {
    const manifest = host.readFile(`${root}/package.json`);
    if (manifest === undefined) return undefined;
    const version = /"version"\s*:\s*"([^"]+)"/.exec(manifest)?.[1] ?? "";
    const key = `${root}@${version}`;
    const known = byVersion.get(key);
    const text = known === undefined ? host.readFile(`${root}/dist/types.d.ts`) : undefined;
    const facts = known ?? (text === undefined ? undefined : { version, ...readDeclarations(text) });
    if (facts === undefined || facts.authenticationTypes.size === 0) return undefined;
    byVersion.set(key, facts);
    return facts;
  }

  function findFor(file: string): ToolkitFacts | undefined {
    const folder = parent(file);
    for (const module of modules(file)) {
      for (let above = folder; ; above = parent(above)) {
        const found = read(`${above === "/" ? "" : above}/node_modules/${module}`);
        if (found !== undefined) return found;
        if (above === parent(above)) break;
      }
    }
    return undefined;
  }

  return {
    find(file) {
      const folder = parent(file);
      if (!byFolder.has(folder)) byFolder.set(folder, findFor(file));
      return byFolder.get(folder);
    },
    forget: () => byFolder.clear(),
  };
}

function readDeclarations(text: string): Omit<ToolkitFacts, "version"> {
  const source = ts.createSourceFile("types.d.ts", text, ts.ScriptTarget.Latest, false);
  const interfaces = new Map<string, ts.InterfaceDeclaration>();
  const aliases = new Map<string, ts.TypeNode>();
  const authenticationTypes = new Set<string>();
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement)) interfaces.set(statement.name.text, statement);
    else if (ts.isTypeAliasDeclaration(statement)) aliases.set(statement.name.text, statement.type);
    else if (ts.isEnumDeclaration(statement) && statement.name.text === "AuthenticationType")
      for (const member of statement.members) if (ts.isIdentifier(member.name)) authenticationTypes.add(member.name.text);
  }
  const fieldsByType = new Map<string, Set<string>>();
  const fields = new Set<string>();
  for (const [name, declaration] of interfaces) {
    const members = membersOf(name, interfaces);
    const type = members
      .get("type")
      ?.getText(source)
      .match(/\bAuthenticationType\.(\w+)/)?.[1];
    if (type === undefined) continue;
    const known = fieldsByType.get(type) ?? new Set();
    fieldsByType.set(type, known);
    for (const field of members.keys()) known.add(field);
    addNested(declaration, fields);
    for (const field of members.keys()) fields.add(field);
  }
  for (const name of ["SetEndpoint", "CustomAuthParameter", "BaseAuthentication"])
    for (const field of membersOf(name, interfaces).keys()) fields.add(field);
  return { authenticationTypes, systemTypes: systemTypes(interfaces, aliases, source), fieldsByType, fields };
}

/** The interface's own members and those that it inherits. */
function membersOf(name: string, interfaces: ReadonlyMap<string, ts.InterfaceDeclaration>, depth = 0): Map<string, ts.Node> {
  const members = new Map<string, ts.Node>();
  const declaration = interfaces.get(name);
  if (declaration === undefined || depth > 10) return members;
  for (const clause of declaration.heritageClauses ?? [])
    for (const { expression } of clause.types)
      if (ts.isIdentifier(expression)) for (const [key, node] of membersOf(expression.text, interfaces, depth + 1)) members.set(key, node);
  for (const member of declaration.members) if (member.name && ts.isIdentifier(member.name)) members.set(member.name.text, member);
  return members;
}

/** Names inside the type literals of an interface, such as those of `headers: Array<{…}>`. */
function addNested(node: ts.Node, fields: Set<string>): void {
  if (ts.isPropertySignature(node) && ts.isIdentifier(node.name)) fields.add(node.name.text);
  ts.forEachChild(node, (child) => addNested(child, fields));
}

/** The types of the interfaces in the union SystemAuthentication. */
function systemTypes(
  interfaces: ReadonlyMap<string, ts.InterfaceDeclaration>,
  aliases: ReadonlyMap<string, ts.TypeNode>,
  source: ts.SourceFile,
): Set<string> {
  const types = new Set<string>();
  const visit = (name: string, depth: number): void => {
    const type = membersOf(name, interfaces)
      .get("type")
      ?.getText(source)
      .match(/\bAuthenticationType\.(\w+)/)?.[1];
    if (type !== undefined) types.add(type);
    const alias = aliases.get(name);
    if (alias && depth < 10)
      for (const part of ts.isUnionTypeNode(alias) ? alias.types : [alias])
        if (ts.isTypeReferenceNode(part) && ts.isIdentifier(part.typeName)) visit(part.typeName.text, depth + 1);
  };
  visit("SystemAuthentication", 0);
  return types;
}

export function parent(path: string): string {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at <= 0 ? "/" : path.slice(0, at);
}
