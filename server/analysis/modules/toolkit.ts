// The contents of the installed SDK's declarations. They are legal whatever the built-in model lists. Each version is parsed once.

import { defined } from "../../../base/defined.ts";
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { installWords, managerOfFolder, type PackageManager, usesPlugAndPlay } from "../../../spec/package-managers.ts";
import type { ToolkitFacts } from "../model/pack.ts";
import { packageOf } from "../syntax/toolkit-names.ts";
import { PARSING } from "../text/parse.ts";
import { ts } from "../typescript.ts";
import { joinPath, parent } from "./paths.ts";

export interface FileReader {
  /** Returns the text of a file, or undefined if there is none. */
  readFile(path: string): string | undefined;
}

/** The SDK that is installed for a file. */
export interface InstalledToolkit {
  /** Undefined if no SDK is installed, or its declarations cannot be read. */
  readonly facts?: ToolkitFacts;
  /**
   * The command that installs the SDK. Set only if it is known to be absent: no enclosing folder has one, and nothing else could provide
   * it.
   */
  readonly install?: string;
}

/** Finds the SDK that is installed for a file, in its folder and the enclosing ones. */
export interface ToolkitFinder {
  find(file: string): InstalledToolkit;
  /** Whether a package is installed for the file, or declared in a manifest. Also true if this cannot be determined. */
  isThere(module: string, file: string): boolean;
  /** Drops cached results, for when packages are installed or removed. */
  forget(): void;
}

/** The SDK that is installed for a folder, or the package manager that installs it. */
interface FolderToolkit {
  readonly installed?: Pick<InstalledToolkit, "facts">;
  readonly manager?: PackageManager;
}

export function createToolkitFinder(modules: (file: string) => readonly string[], host: FileReader): ToolkitFinder {
  /** Facts by version: a monorepo may have many installations of one version. */
  const byVersion = new Map<string, ToolkitFacts>();
  /** By folder and the requested modules. */
  const lookedFor = new Map<string, FolderToolkit>();

  /** Returns undefined if nothing is installed there. Returns no facts if the declarations cannot be read, as during an installation. */
  function read(root: string, module: string): FolderToolkit["installed"] {
    const manifest = host.readFile(`${root}/package.json`);
    return manifest === undefined
      ? undefined
      : defined({ facts: declarations(root, module, /"version"\s*:\s*"([^"]+)"/.exec(manifest)?.[1] ?? "") });
  }

  function declarations(root: string, module: string, version: string): ToolkitFacts | undefined {
    const textOf = (name: string): string => host.readFile(`${root}/dist/${name}.d.ts`) ?? "";
    const text = textOf("types");
    // An SDK that is linked from a checkout changes without a new version.
    const key = `${module}@${version} ${text.length}`;
    const facts = byVersion.get(key) ?? {
      module,
      version,
      inEsModules: false,
      ...readDeclarations(text, textOf("api_types"), textOf("api")),
      ...readNames(textOf("index"), textOf("builder")),
    };
    if (facts.authenticationTypes.size === 0) return undefined;
    byVersion.set(key, facts);
    return facts;
  }

  /** Finds one of the modules in a folder or the enclosing ones. */
  function lookIn(folder: string, names: readonly string[]): FolderToolkit {
    return getOrInsert(lookedFor, [folder, ...names].join("\n"), () => lookAnew(folder, names));
  }

  function lookAnew(folder: string, names: readonly string[]): FolderToolkit {
    const textOf = (name: string): string | undefined => host.readFile(joinPath(folder, name));
    for (const module of names) {
      const installed = read(joinPath(folder, `node_modules/${module}`), module);
      if (installed !== undefined) return { installed };
    }
    if (usesPlugAndPlay(textOf)) return { installed: {} };
    const above = parent(folder) === folder ? {} : lookIn(parent(folder), names);
    return above.installed !== undefined ? above : defined({ manager: managerOfFolder(textOf) ?? above.manager });
  }

  /** Whether the nearest manifest declares ES modules. */
  function isOfEsModules(folder: string): boolean {
    const manifest = host.readFile(joinPath(folder, "package.json"));
    if (manifest !== undefined) return /"type"\s*:\s*"module"/.test(manifest);
    return parent(folder) !== folder && isOfEsModules(parent(folder));
  }

  return {
    find(file) {
      const names = modules(file);
      const { installed, manager } = lookIn(parent(file), names);
      if (installed?.facts !== undefined && isOfEsModules(parent(file))) return { facts: { ...installed.facts, inEsModules: true } };
      if (installed !== undefined) return installed;
      for (const name of names) {
        const command = installWords(name, { manager, forDevelopment: true });
        if (command !== undefined) return { install: command.join(" ") };
      }
      return {};
    },
    isThere(module, file) {
      const name = packageOf(module);
      for (let folder = parent(file); ; folder = parent(folder)) {
        const textOf = (path: string): string | undefined => host.readFile(joinPath(folder, path));
        if (textOf(`node_modules/${name}/package.json`) !== undefined || textOf("package.json")?.includes(`"${name}"`)) return true;
        if (usesPlugAndPlay(textOf)) return true;
        if (parent(folder) === folder) return false;
      }
    },
    forget: () => lookedFor.clear(),
  };
}

type Names = Pick<ToolkitFacts, "exports" | "exportedTypes" | "builder" | "agentBuilder">;

/** Returns the exports of the package, and the members of its pack builder. */
function readNames(index: string, builder: string): Names {
  const unread = { exportedTypes: new Set<string>() };
  const exported = new Set<string>();
  const types = new Set<string>();
  for (const statement of ts.createSourceFile("index.d.ts", index, PARSING).statements) {
    // Other kinds of export statements may export further names.
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause))
      return unread;
    for (const { name, isTypeOnly } of statement.exportClause.elements) {
      exported.add(name.text);
      if (statement.isTypeOnly || isTypeOnly) types.add(name.text);
    }
  }
  if (!exported.has("newPack")) return unread;
  const classes = new Map<string, ts.ClassDeclaration>();
  for (const statement of ts.createSourceFile("builder.d.ts", builder, PARSING).statements)
    if (ts.isClassDeclaration(statement) && statement.name) classes.set(statement.name.text, statement);
  return {
    exports: exported,
    exportedTypes: types,
    ...defined({ builder: classMembers("PackDefinitionBuilder", classes), agentBuilder: classMembers("AgentDefinitionBuilder", classes) }),
  };
}

/** Returns the members of a class, including inherited ones, or undefined if it inherits from another file. */
function classMembers(builder: string, classes: ReadonlyMap<string, ts.ClassDeclaration>): ReadonlySet<string> | undefined {
  const members = new Set<string>();
  for (let name: string | undefined = builder; name !== undefined; ) {
    const declaration: ts.ClassDeclaration | undefined = classes.get(name);
    if (declaration === undefined) return undefined;
    for (const member of declaration.members) if (member.name && ts.isIdentifier(member.name)) members.add(member.name.text);
    const parent = declaration.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0]?.expression;
    name = parent === undefined ? undefined : ts.isIdentifier(parent) ? parent.text : "";
  }
  return members;
}

function readDeclarations(
  text: string,
  apiTypes: string,
  api: string,
): Omit<ToolkitFacts, "module" | "version" | "inEsModules" | keyof Names> {
  // The other files are long, and only these declarations of them matter.
  const requirements = /\benum\s+ConnectionRequirement\s*\{[^{}]*\}/.exec(apiTypes)?.[0] ?? "";
  const otherDeclarations = [requirements, blockOf(apiTypes, "type UserAuthenticationDef"), blockOf(api, "interface SyncFormulaDef")];
  const source = ts.createSourceFile("types.d.ts", [text, ...otherDeclarations].join("\n"), PARSING);
  const interfaces = new Map<string, ts.InterfaceDeclaration>();
  const aliases = new Map<string, ts.TypeNode>();
  const enums = new Map<string, ReadonlySet<string>>();
  const declared: Declared = { interfaces, aliases, enums, source };
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement)) interfaces.set(statement.name.text, statement);
    else if (ts.isTypeAliasDeclaration(statement)) aliases.set(statement.name.text, statement.type);
    else if (ts.isEnumDeclaration(statement))
      enums.set(statement.name.text, new Set(statement.members.flatMap(({ name }) => (ts.isIdentifier(name) ? name.text : []))));
  }
  const contexts = [...apiTypes.matchAll(/\binterface (\w+)/g)]
    .filter(([, name]) => name?.endsWith("ExecutionContext"))
    .map(({ index }) => apiTypes.slice(index, apiTypes.indexOf("\n}", index) + 2))
    .join("\n");
  const contextMembers = new Set<string>();
  for (const statement of ts.createSourceFile("c.d.ts", contexts, PARSING).statements)
    for (const { name } of ts.isInterfaceDeclaration(statement) ? statement.members : [])
      if (name && ts.isIdentifier(name)) contextMembers.add(name.text);
  const fieldsByType = new Map<string, Set<string>>();
  const fields = new Set<string>();
  const innerFields = new Map<string, Set<string>>();
  const unread = new Set<string>();
  const addInner = (field: string, member: ts.TypeElement | undefined): void => {
    if (member === undefined || !ts.isPropertySignature(member) || member.type === undefined) return;
    const inner = fieldsWithin(member.type, declared);
    if (inner === undefined) unread.add(field);
    for (const name of inner ?? []) getOrInsert(innerFields, field, () => new Set()).add(name);
  };
  const add = (members: ReadonlyMap<string, ts.TypeElement>): void => {
    for (const [field, member] of members) {
      fields.add(field);
      addInner(field, member);
    }
  };
  for (const name of interfaces.keys()) {
    const members = membersOf(name, declared);
    const type = typeOf(members, declared);
    if (type === undefined) continue;
    const typeFields = getOrInsert(fieldsByType, type, () => new Set());
    for (const field of members.keys()) typeFields.add(field);
    add(members);
  }
  add(membersOf("BaseAuthentication", declared));
  // Fields that a configuration has in the source, but the platform does not receive.
  for (const name of ["AsAuthDef", "UserAuthenticationDef"])
    for (const { name: field } of literalMembers(aliases.get(name))) if (field && ts.isIdentifier(field)) fields.add(field.text);
  addInner("mcpServers", membersOf("PackVersionDefinition", declared).get("mcpServers"));
  addInner("updateOptions", membersOf("SyncFormulaDef", declared).get("updateOptions"));
  for (const field of unread) innerFields.delete(field);
  return {
    authenticationTypes: enums.get("AuthenticationType") ?? new Set(),
    enums,
    systemTypes: systemTypes(declared),
    fieldsByType,
    fields,
    innerFields,
    ...(contextMembers.size === 0 ? {} : { contextMembers }),
  };
}

interface Declared {
  readonly interfaces: ReadonlyMap<string, ts.InterfaceDeclaration>;
  readonly aliases: ReadonlyMap<string, ts.TypeNode>;
  readonly enums: ReadonlyMap<string, unknown>;
  readonly source: ts.SourceFile;
}

/** Returns the members of an interface, including inherited ones. */
function membersOf(name: string, declared: Declared, depth = 0): Map<string, ts.TypeElement> {
  const members = new Map<string, ts.TypeElement>();
  const declaration = declared.interfaces.get(name);
  if (declaration === undefined || depth > 10) return members;
  for (const clause of declaration.heritageClauses ?? [])
    for (const { expression } of clause.types)
      if (ts.isIdentifier(expression)) for (const [key, node] of membersOf(expression.text, declared, depth + 1)) members.set(key, node);
  for (const member of declaration.members) if (member.name && ts.isIdentifier(member.name)) members.set(member.name.text, member);
  return members;
}

/** Returns the type's name in a member such as `type: AuthenticationType.OAuth2`. */
const typeOf = (members: ReadonlyMap<string, ts.TypeElement>, { source }: Declared): string | undefined =>
  /\bAuthenticationType\.(\w+)/.exec(members.get("type")?.getText(source) ?? "")?.[1];

/** Returns the declaration that begins with `head`, up to the closing brace at the beginning of a line; empty if there is none. */
function blockOf(text: string, head: string): string {
  const start = text.indexOf(head);
  const end = start < 0 ? -1 : text.indexOf("\n}", start);
  return end < 0 ? "" : text.slice(start, end + "\n}".length);
}

/** Returns the members of the object types that an alias contains literally. */
const literalMembers = (type: ts.TypeNode | undefined): readonly ts.TypeElement[] =>
  type === undefined
    ? []
    : ts.isTypeLiteralNode(type)
      ? type.members
      : ts.isIntersectionTypeNode(type)
        ? type.types.flatMap(literalMembers)
        : [];

/** Generic types that have the members of their argument. */
const SAME_MEMBERS: ReadonlySet<string> = new Set(["Array", "ReadonlyArray", "Partial", "Required", "Readonly", "NonNullable"]);

/** Returns the fields of the objects in a type, such as `Array<{ name: string }>` or `PostSetup[]`; undefined if they cannot be read. */
function fieldsWithin(type: ts.TypeNode, declared: Declared, depth = 0): readonly string[] | undefined {
  const within = (parts: readonly ts.TypeNode[]): readonly string[] | undefined => {
    const all = depth > 10 ? [undefined] : parts.map((part) => fieldsWithin(part, declared, depth + 1));
    return all.some((one) => one === undefined) ? undefined : all.flatMap((one) => one ?? []);
  };
  if (ts.isArrayTypeNode(type)) return within([type.elementType]);
  if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type)) return within([type.type]);
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return within(type.types);
  if (ts.isTypeLiteralNode(type)) return namesOf(type.members);
  // Other types, such as strings and functions, have no fields.
  if (!ts.isTypeReferenceNode(type))
    return ts.isTypeQueryNode(type) || ts.isImportTypeNode(type) || ts.isMappedTypeNode(type) ? undefined : [];
  if (!ts.isIdentifier(type.typeName)) return undefined;
  const { text } = type.typeName;
  const [of, names] = type.typeArguments ?? [];
  if (of !== undefined && SAME_MEMBERS.has(text)) return within([of]);
  if (of !== undefined && names !== undefined && (text === "Pick" || text === "Omit")) {
    const literals = (ts.isUnionTypeNode(names) ? names.types : [names]).flatMap((one) =>
      ts.isLiteralTypeNode(one) && ts.isStringLiteral(one.literal) ? one.literal.text : [],
    );
    return text === "Pick" ? literals : within([of])?.filter((name) => !literals.includes(name));
  }
  const alias = declared.aliases.get(text);
  if (alias !== undefined) return within([alias]);
  if (declared.enums.has(text)) return [];
  return isRead(text, declared) ? namesOf([...membersOf(text, declared).values()]) : undefined;
}

/** Whether the interface and everything that it inherits from are declared. */
function isRead(name: string, declared: Declared, depth = 0): boolean {
  const declaration = declared.interfaces.get(name);
  if (declaration === undefined || depth > 10) return false;
  return (declaration.heritageClauses ?? []).every(({ types }) =>
    types.every(({ expression }) => ts.isIdentifier(expression) && isRead(expression.text, declared, depth + 1)),
  );
}

/** Returns the names of the members, or undefined if there may be others. */
function namesOf(members: readonly ts.TypeElement[]): readonly string[] | undefined {
  if (members.some((member) => ts.isIndexSignatureDeclaration(member))) return undefined;
  return members.flatMap(({ name }) => (name && ts.isIdentifier(name) ? name.text : []));
}

/** Returns the types of the interfaces in the union SystemAuthentication. */
function systemTypes(declared: Declared): Set<string> {
  const types = new Set<string>();
  const visit = (name: string, depth: number): void => {
    const type = typeOf(membersOf(name, declared), declared);
    if (type !== undefined) types.add(type);
    const alias = declared.aliases.get(name);
    if (alias && depth < 10)
      for (const part of ts.isUnionTypeNode(alias) ? alias.types : [alias])
        if (ts.isTypeReferenceNode(part) && ts.isIdentifier(part.typeName)) visit(part.typeName.text, depth + 1);
  };
  visit("SystemAuthentication", 0);
  return types;
}
