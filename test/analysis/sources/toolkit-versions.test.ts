// What is legal is what the toolkit that is installed for a file declares: older ones, newer ones, several in one workspace, none.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { root } from "../../support/packs.ts";

/** Declarations in the manner of the toolkit's first releases: no getOptions, no client credentials, no PKCE, an own type for steps. */
const OLD = readFileSync(join(root, "test/analysis/sources/old-toolkit.txt"), "utf8");

/** Of a toolkit to come: a type, a kind of step, a requirement and a field that nobody knows today. */
const NEW = OLD.replace("    Various =", '    Passkey = "Passkey",\n    Various =')
  .replace('{ SetEndpoint = "SetEndPoint" }', '{ SetEndpoint = "SetEndPoint", AcceptTerms = "AcceptTerms" }')
  .replace("getOptionsFormula: MetadataFormula;", "getOptions?: MetadataFormula;\n    termsUrl?: string;")
  .replace(
    "export declare type SystemAuthentication = ",
    "export interface PasskeyAuthentication extends BaseAuthentication { type: AuthenticationType.Passkey; deviceName: string; }\nexport declare type SystemAuthentication = PasskeyAuthentication | ",
  )
  .replace("headerName: string;", "headerName: string;\n    networkDomain?: string;\n    headerCase?: 'upper' | 'lower';");
const NEW_API =
  'export declare enum ConnectionRequirement {\n    None = "none",\n    /** Once. */\n    Once = "once",\n    Required = "required"\n}\n';

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.com");\n`;
const user = (config: string): string => `${HEAD}pack.setUserAuthentication({ ${config} });\n`;
const type = (name: string): string => `type: coda.AuthenticationType.${name}`;

describe("the installed toolkit", () => {
  let folder: string;
  const reads: string[] = [];
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path.replaceAll("\\", "/");
  };
  const install = (where: string, version: string, types: string, api = ""): void => {
    const at = join(where, "node_modules/@codahq/packs-sdk");
    write(join(at, "package.json"), JSON.stringify({ name: "@codahq/packs-sdk", version }));
    write(join(at, "dist/types.d.ts"), types);
    if (api !== "") write(join(at, "dist/api_types.d.ts"), api);
  };
  const host = {
    readFile: (path: string): string | undefined => {
      reads.push(path);
      try {
        return readFileSync(path, "utf8");
      } catch {
        return undefined;
      }
    },
  };
  const analysisOf = (...paths: string[]) => {
    const analysis = createAnalysis(host);
    analysis.addCandidates(paths);
    return analysis;
  };
  const findingsIn = (source: string, where = "pack.ts"): readonly string[] => {
    const path = write(where, source);
    return analysisOf(path)
      .diagnostics(path)
      .map(({ rule, severity }) => `${severity} ${rule}`);
  };
  /** A toolkit whose packs have addNetworkDomain and one more method. */
  const installBuilder = (version: string, method: string): void => {
    install("", version, OLD);
    const types = "node_modules/@codahq/packs-sdk/dist";
    write(`${types}/index.d.ts`, "export { newPack } from './builder';\n");
    const methods = `    addNetworkDomain(...domain: string[]): this;\n    ${method}\n`;
    write(`${types}/builder.d.ts`, `export declare class PackDefinitionBuilder {\n${methods}}\n`);
  };
  const importFindings = (path: string) =>
    analysisOf(path)
      .diagnostics(path)
      .filter(({ rule }) => rule === "toolkit-import");
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-toolkits-"));
    reads.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("a method of newer versions is reported with the installed version, without a rename", () => {
    installBuilder("1.12.3", "addSkil(skill: object): this;");
    const path = write("pack.ts", `${HEAD}pack.setChatSkill({ name: "A" });\npack.addNetwrkDomain("a.com");\n`);
    assert.deepEqual(
      importFindings(path).map(({ message, fixes }) => [message, ...fixes.map(({ title }) => title)]),
      [
        [
          "Update the Packs SDK, or remove setChatSkill. The installed Packs SDK 1.12.3 does not have this method, so the pack cannot be loaded.",
        ],
        ["Did you mean addNetworkDomain? A pack has no method addNetwrkDomain, so it cannot be loaded.", "Change to addNetworkDomain"],
      ],
    );
  });

  it("a method is reported without a version if the manifest has none", () => {
    installBuilder("", "addFormula(formula: object): this;");
    const path = write("pack.ts", `${HEAD}pack.addSkill({ name: "A" });\n`);
    assert.match(importFindings(path)[0]?.message ?? "", /The installed Packs SDK does not have this method/);
  });

  it("methods that an old version lacks are reported wherever they are called", () => {
    installBuilder("1.0.0", "addFormula(formula: object): this;");
    const calls = ["addSkill", "addMCPServer", "addAdminAuthentication", "addFormula"].map((method) => `pack.${method}({ name: "A" });\n`);
    const path = write("pack.ts", `${HEAD}${calls.join("")}const tools = require("./tools");\ntools.addSkill({});\n`);
    assert.deepEqual(
      importFindings(path).map(({ message }) => message),
      ["addSkill", "addMCPServer", "addAdminAuthentication"].map(
        (method) =>
          `Update the Packs SDK, or remove ${method}. The installed Packs SDK 1.0.0 does not have this method, so the pack cannot be loaded.`,
      ),
    );
  });

  it("a type that an old version lacks is an error that names the version", () => {
    install(".", "1.0.0", OLD);
    const path = write("pack.ts", user(`${type("OAuth2ClientCredentials")}, tokenUrl: "https://acme.com/t"`));
    const [first] = analysisOf(path).diagnostics(path);
    assert.deepEqual([first?.rule, first?.severity], ["oauth2-grant-unsupported", "error"]);
    assert.match(first?.message ?? "", /1\.0\.0/);
    assert.deepEqual(findingsIn(user(type("HeaderBearerToken"))), []);
  });

  it("a field that an old version declares is accepted", () => {
    install(".", "0.10.0", OLD);
    const step = `{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptionsFormula: coda.makeMetadataFormula(async () => []) }`;
    assert.deepEqual(findingsIn(user(`${type("HeaderBearerToken")}, defaultConnectionType: "x", postSetup: [${step}]`)), []);
  });

  it("context members of newer versions are accepted with an old one, and no others", () => {
    install(".", "1.0.0", OLD, "export interface ExecutionContext {\n    readonly fetcher: Fetcher;\n    readonly endpoint?: string;\n}\n");
    const reading = (member: string): string =>
      user(`${type("HeaderBearerToken")}, getConnectionName: async (context) => String(context.${member})`);
    assert.deepEqual(findingsIn(reading("propertyName")), []);
    assert.deepEqual(findingsIn(reading("endpoint")), []);
    assert.deepEqual(findingsIn(reading("account")), ["warning context-member-unknown"]);
    assert.deepEqual(findingsIn(reading("continuation")), ["warning context-member-unknown"]);
  });

  it("fields newer than the installed version are flagged, with the older name", () => {
    install(".", "1.0.0", OLD);
    const oauth = `${type("OAuth2")}, authorizationUrl: "https://acme.com/a", tokenUrl: "https://acme.com/t"`;
    assert.deepEqual(findingsIn(user(oauth)), []);
    assert.deepEqual(findingsIn(user(`${oauth}, useProofKeyForCodeExchange: true`)), ["error field-unknown"]);
    const step = `{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async () => [] }`;
    const source = user(`${type("HeaderBearerToken")}, postSetup: [${step}]`);
    assert.deepEqual(findingsIn(source), ["warning field-unknown"]);
    const path = write("pack.ts", source.replace(", getOptions: async () => []", ""));
    const [incomplete] = analysisOf(path).diagnostics(path);
    assert.equal(incomplete?.rule, "set-endpoint-incomplete");
    assert.match(incomplete?.fixes[0]?.edits[0]?.text ?? "", /getOptionsFormula: /);
  });

  it("names that a new version declares are accepted, and no others", () => {
    install(".", "9.0.0", NEW, NEW_API);
    for (const config of [
      `${type("Passkey")}, deviceName: "x", instructionsUrl: "https://acme.com"`,
      `${type("CustomHeaderToken")}, headerName: "X-Key", headerCase: "upper"`,
      `${type("HeaderBearerToken")}, postSetup: [{ type: coda.PostSetupType.AcceptTerms, name: "Terms", description: "Read", termsUrl: "https://acme.com" }]`,
      `${type("HeaderBearerToken")}, defaultConnectionRequirement: coda.ConnectionRequirement.Once`,
    ])
      assert.deepEqual(findingsIn(user(config)), [], config);
    assert.deepEqual(findingsIn(`${HEAD}pack.setSystemAuthentication({ ${type("Passkey")} });\n`), []);
    assert.deepEqual(findingsIn(user(type("Passkeys"))), ["error auth-type-unknown"]);
    assert.deepEqual(findingsIn(user(`${type("HeaderBearerToken")}, headerCas: 1`)), ["error field-unknown"]);
  });

  it("the nearest version applies to each pack of a workspace", () => {
    install(".", "1.0.0", OLD);
    install("packages/new", "9.0.0", NEW, NEW_API);
    const source = user(type("Passkey"));
    const [old, next] = [write("packages/old/pack.ts", source), write("packages/new/src/pack.ts", source)];
    const analysis = analysisOf(old, next);
    assert.deepEqual(
      analysis.diagnostics(old).map(({ rule }) => rule),
      ["auth-type-unknown"],
    );
    assert.deepEqual(analysis.diagnostics(next), []);
    assert.deepEqual([analysis.packsOf(old)[0]?.toolkit?.version, analysis.packsOf(next)[0]?.toolkit?.version], ["1.0.0", "9.0.0"]);
  });

  it("installations of one version share their facts", () => {
    for (const name of ["a", "b", "c"]) install(name, "1.0.0", OLD);
    const packs = ["a", "b", "c", "c/d"].map((name) => write(`${name}/pack.ts`, user(type("HeaderBearerToken"))));
    const analysis = analysisOf(...packs);
    const facts = packs.map((path) => analysis.packsOf(path)[0]?.toolkit);
    assert.equal(new Set(facts).size, 1);
    assert.equal(reads.filter((path) => path.endsWith("/types.d.ts")).length, 3);
    // Files that come and go have it looked up again, and nothing is parsed as long as it is the same.
    analysis.filesChanged([`${packs[0]}`]);
    assert.equal(analysis.packsOf(packs[0] ?? "")[0]?.toolkit, facts[0]);
  });

  it("an installed, updated or removed version applies after the next file change", () => {
    const path = write("pack.ts", user(type("Passkey")));
    const analysis = analysisOf(path);
    const rules = () => analysis.diagnostics(path).map(({ rule }) => rule);
    assert.deepEqual(rules(), ["toolkit-missing", "auth-type-unknown"]);
    const lock = write("package-lock.json", "{}");
    install(".", "1.0.0", OLD);
    analysis.filesChanged([lock]);
    assert.deepEqual(rules(), ["auth-type-unknown"]);
    install(".", "9.0.0", NEW);
    analysis.filesChanged([lock]);
    assert.deepEqual(rules(), []);
    rmSync(join(folder, "node_modules"), { recursive: true });
    analysis.filesChanged([lock]);
    assert.deepEqual(rules(), ["toolkit-missing", "auth-type-unknown"]);
  });

  it("a toolkit behind a path mapping is not missing", () => {
    write("sdk/index.ts", "export {};");
    write("tsconfig.json", '{ "compilerOptions": { "paths": { "@codahq/packs-sdk": ["./sdk"] } } }');
    assert.deepEqual(findingsIn(user(type("HeaderBearerToken"))), []);
  });

  it("a missing toolkit is installed by the workspace's package manager", () => {
    const source = user(type("HeaderBearerToken"));
    const message = (where: string): string => {
      const path = write(where, source);
      return analysisOf(path).diagnostics(path)[0]?.message ?? "";
    };
    assert.match(message("a/pack.ts"), /npm install --save-dev @codahq\/packs-sdk$/);
    write("pnpm-lock.yaml", "");
    assert.match(message("a/pack.ts"), /pnpm add --save-dev @codahq\/packs-sdk$/);
    write("b/package-lock.json", "");
    assert.match(message("b/c/pack.ts"), /npm install --save-dev @codahq\/packs-sdk$/);
  });

  it("an unreadable toolkit leaves the built-in model, and Plug'n'Play is not flagged", () => {
    const source = user(type("OAuth2ClientCredentials").concat(', tokenUrl: "https://acme.com/t"'));
    for (const types of ["", "export {};", "\0\0{{{"]) {
      install(".", "1.0.0", types);
      assert.deepEqual(findingsIn(source), [], JSON.stringify(types));
    }
    rmSync(join(folder, "node_modules"), { recursive: true });
    assert.deepEqual(findingsIn(source), ["information toolkit-missing"]);
    write(".pnp.cjs", "");
    assert.deepEqual(findingsIn(source), []);
  });
});
