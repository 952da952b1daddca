// Generates test/spec/toolkit-coverage.md: the parts of the installed Packs SDK that concern authentication, and whether Pack Auth supports
// them. `npm run check` fails if a newer SDK declares a part that is not assessed here.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { createToolkitFinder } from "../server/analysis/modules/toolkit.ts";
import { AUTH_TYPES, fieldsOf, isAuthTypeName } from "../spec/auth-types.ts";
import type { ContextMember } from "../spec/context-members.ts";

const root = join(import.meta.dirname, "..");

const YES = "supported";

/** The members of the execution context. */
const CONTEXT: Readonly<Record<ContextMember, string>> = {
  fetcher: YES,
  temporaryBlobStorage: YES,
  endpoint: YES,
  invocationLocation: "supported: a document, or the assistant (in the panel, and by `run --as go`)",
  timezone: YES,
  invocationToken: YES,
  sync: YES,
  authenticationName: "undefined, as for a user's account: it names an admin authentication, which is hidden",
  executionId: "not set: internal",
  previousAttemptError: "not set: only the assistant repeats the sync of a table",
  syncStateService: "not set, and said after a run that uses it: meant for Superhuman Go",
  propertyName: YES,
  propertySchema: YES,
  propertyValues: YES,
  search: YES,
};

/** The methods of the builder that concern accounts and requests. */
const BUILDER: Readonly<Record<string, string>> = {
  setUserAuthentication: YES,
  setSystemAuthentication: YES,
  addAdminAuthentication: "checked, not connected: hidden",
  addNetworkDomain: YES,
  addMCPServer: YES,
  addFormula: YES,
  addSyncTable: YES,
  addDynamicSyncTable: YES,
  addColumnFormat: "supported: its formula is",
  addSkill: "checked: tools of MCP servers need one",
};

/** Methods that do not concern accounts. */
const UNRELATED_METHODS = new Set([
  "setChatSkill",
  "setBenchInitializationSkill",
  "setSkillEntrypoints",
  "addSuggestedPrompt",
  "setVersion",
  "setPublishedFormulaNamespace",
]);

/** Declarations of which only some members concern accounts: these members, and the names of the others. */
const DECLARED: Readonly<Record<string, { readonly about: Readonly<Record<string, string>>; readonly unrelatedFields?: string }>> = {
  MCPServer: { about: { name: YES, endpointUrl: YES } },
  MCPTool: { about: { serverNames: "checked: a skill needs a server", packId: "read: the server is another pack's" } },
  AdminAuthentication: {
    about: { authentication: "checked, not connected: hidden", name: "checked", displayName: "checked", description: "checked" },
  },
  CommonPackFormulaDef: {
    about: {
      connectionRequirement: YES,
      network: "supported: `hasSideEffect` and `requiresConnection`, its former names",
      extraOAuthScopes: YES,
      allowedAuthenticationNames: "checked: names of admin authentications (hidden)",
      isAction: YES,
      cacheTtlSecs: "not kept: each run is executed",
    },
    unrelatedFields:
      "name description instructions parameters varargParameters examples isExperimental isSystem purpose validateParameters",
  },
  SyncFormulaDef: {
    about: {
      updateOptions: "supported: `extraOAuthScopes` (hidden)",
      executeUpdate: YES,
      executeGetPermissions: "not run: it decides who may see rows in Superhuman Go (hidden)",
    },
    unrelatedFields: "maxUpdateBatchSize maxPermissionBatchSize validateParameters execute",
  },
  SyncTableOptions: {
    about: { connectionRequirement: YES },
    unrelatedFields: "name displayName description instructions identityName schema formula dynamicOptions role indexing",
  },
  DynamicSyncTableOptions: {
    about: { connectionRequirement: YES },
    unrelatedFields:
      "name description getName identityName getSchema getDisplayUrl listDynamicUrls searchDynamicUrls formula entityName defaultAddDynamicColumns placeholderSchema propertyOptions indexing",
  },
  FetchRequest: {
    about: {
      url: YES,
      headers: YES,
      body: YES,
      form: YES,
      disableAuthentication: YES,
      ignoreRedirects: YES,
      cacheTtlSecs: YES,
      forceCache: YES,
    },
    unrelatedFields: "method isBinaryResponse chunkResponse",
  },
  TemporaryBlobStorage: { about: { storeUrl: "supported: `disableAuthentication`, too", storeBlob: YES } },
};

/** Returns the page. Throws if the SDK declares a part that is not assessed. */
export function toolkitCoverage(): string {
  const readFile = (path: string): string | undefined => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  };
  const { facts } = createToolkitFinder(() => ["@codahq/packs-sdk"], { readFile }).find(join(root, "pack.ts"));
  if (facts === undefined) throw new Error("The toolkit's declarations cannot be read.");
  const types = [...facts.authenticationTypes].map((type) => [`\`${type}\``, typeStatus(type)] as const);
  const fields = [...facts.fieldsByType].map(([type, names]) => fieldRow(type, [...names].sort()));
  const methods = [...(facts.builder ?? [])].filter((name) => /^(?:add|set)[A-Z]/.test(name) && !UNRELATED_METHODS.has(name));
  return `# What of the toolkit is supported

Of \`@codahq/packs-sdk\` ${facts.version}: all that has to do with authentication.

## Types of authentication

${table("type", types)}
## Their fields

Each is known to completions, hovers and rules.

${table("type", fields)}
## Contexts

${table("member", judged(facts.contextMembers ?? new Set(), CONTEXT, "a context's"))}
## The builder

${table("method", judged(new Set(methods), BUILDER, "the builder's"))}
${declaredTables()}
<!-- Generated by \`npm run generate\` from the installed toolkit. Do not edit. -->
`;
}

function typeStatus(type: string): string {
  if (!isAuthTypeName(type) || !Object.hasOwn(AUTH_TYPES, type)) throw new Error(`The toolkit's type ${type} is not in spec/.`);
  const { flow } = AUTH_TYPES[type];
  if (flow === "none") return "checked; there is nothing to connect";
  return flow === "unavailable" ? "checked, not connected: the platform alone can sign in" : YES;
}

function fieldRow(type: string, names: readonly string[]): readonly [string, string] {
  const specifiedFields = isAuthTypeName(type) ? [...fieldsOf(type, "user"), ...fieldsOf(type, "system")].map(({ name }) => name) : [];
  const missing = names.filter((name) => !specifiedFields.includes(name));
  if (missing.length > 0) throw new Error(`The toolkit's ${type} has fields that are not in spec/: ${missing.join(", ")}.`);
  return [`\`${type}\``, names.map((name) => `\`${name}\``).join(", ")];
}

function judged(
  names: ReadonlySet<string>,
  statuses: Readonly<Record<string, string>>,
  whose: string,
): readonly (readonly [string, string])[] {
  return [...names].map((name) => {
    const status = statuses[name];
    if (status === undefined) throw new Error(`scripts/toolkit-coverage.ts does not say whether ${whose} ${name} is supported.`);
    return [`\`${name}\``, status];
  });
}

/** Returns a table for each declaration. */
function declaredTables(): string {
  const sources = ["types", "api", "api_types"].map((name) => {
    const path = join(root, "node_modules/@codahq/packs-sdk/dist", `${name}.d.ts`);
    return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  });
  const interfaces = sources.flatMap(({ statements }) => statements.filter(ts.isInterfaceDeclaration));
  return Object.entries(DECLARED)
    .map(([name, { about, unrelatedFields = "" }]) => {
      const members = interfaces.filter((one) => one.name.text === name).flatMap((one) => one.members);
      const names = new Set(members.flatMap(({ name: member }) => (member !== undefined && ts.isIdentifier(member) ? member.text : [])));
      if (names.size === 0) throw new Error(`The toolkit has no ${name} any more.`);
      for (const other of unrelatedFields.split(" ")) names.delete(other);
      return `## ${name}\n\n${table("field", judged(names, about, `${name}'s`))}`;
    })
    .join("\n");
}

const table = (head: string, rows: readonly (readonly [string, string])[]): string =>
  `| ${head} | |\n| --- | --- |\n${rows.map(([name, status]) => `| ${name} | ${status} |\n`).join("")}`;
