// What is offered is right: whichever completion is chosen, wherever it is offered, no rule finds an error in what comes of it, but for
// blanks that are still to be filled in. TypeScript finds none in it either, strict as it is.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ts } from "ts-morph";
import type { Analysis } from "../../../server/analysis/analysis.ts";
import { AUTH_TYPES } from "../../../spec/auth-types.ts";
import { analyse } from "../../support/analyse.ts";
import { completeIn } from "../../support/complete.ts";
import { root } from "../../support/packs.ts";

const PACK = "/pack/pack.ts";
const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
const HEADS = { "one domain": HEAD, "two domains": `${HEAD}pack.addNetworkDomain("example.org");\n` };

/** One analysis each, the file opened anew: the toolkit's declarations are read once. */
const ANALYSES = { with: analyse({}, { toolkit: true }), without: analyse({}) };

function openPack(source: string, toolkit: boolean): Analysis {
  const analysis = toolkit ? ANALYSES.with : ANALYSES.without;
  analysis.open(PACK, source);
  return analysis;
}

/** Errors of the source, without those about something left blank. */
function errorsIn(source: string, toolkit: boolean): readonly string[] {
  return openPack(source, toolkit)
    .diagnostics(PACK)
    .filter(({ severity, place }) => severity === "error" && !/""|"https:\/\/"/.test(source.slice(place.start, place.end)))
    .map(({ rule, message }) => `${rule}: ${message}`);
}

function checkClean(source: string, toolkit: boolean, what: string): void {
  assert.deepEqual(errorsIn(source, toolkit), [], `${what}\n${source}`);
  const { parseDiagnostics } = ts.createSourceFile(PACK, source, ts.ScriptTarget.Latest) as unknown as {
    parseDiagnostics: readonly unknown[];
  };
  assert.equal(parseDiagnostics.length, 0, `does not parse: ${what}\n${source}`);
  if (toolkit) checked.add(source);
}

/** What was made with the toolkit. */
const checked = new Set<string>();

const at = (source: string, offset: number, toolkit: boolean) => completeIn(openPack(source, toolkit), PACK, offset);

/** At the end of the configuration, where the next member would be written. */
const nextMember = (source: string): number => source.lastIndexOf("\n});");

/** A configuration of the type with everything that completion says is required. */
function required(setter: string, type: string, head: string, toolkit: boolean): string {
  let source = `${head}pack.${setter}({\n  type: coda.AuthenticationType.${type},\n});\n`;
  for (let steps = 0; steps < 10; steps++) {
    const line = withLine(source);
    const { items, chosen } = at(line, nextMember(line), toolkit);
    const next = items.find(({ detail }) => detail === "required");
    if (next === undefined) return source;
    source = chosen(next);
  }
  return assert.fail(`what ${type} requires does not end\n${source}`);
}

/** With an empty line at the end of the configuration. */
const withLine = (source: string): string => `${source.slice(0, nextMember(source))}\n  ${source.slice(nextMember(source))}`;

it("the checker reports an error in a wrong configuration", () => {
  assert.match(
    errorsIn(`${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, headerName: "X" });\n`, false).join(),
    /field-not-for-type/,
  );
});

for (const toolkit of [false, true]) {
  describe(`completions, ${toolkit ? "with the toolkit" : "without a toolkit"}`, function () {
    this.timeout(120_000);
    for (const [domains, head] of Object.entries(HEADS).slice(0, toolkit ? 1 : 2)) {
      for (const setter of ["setUserAuthentication", "setSystemAuthentication"]) {
        const types = at(`${head}pack.${setter}({ type:  });\n`, `${head}pack.${setter}({ type: `.length, toolkit).labels.map(
          (label) => label.split(".").at(-1) ?? "",
        );

        it(`types, fields and values complete without errors: ${setter}, ${domains}`, () => {
          assert.ok(types.length > 5);
          for (const type of types) {
            const base = required(setter, type, head, toolkit);
            checkClean(base, toolkit, `what ${type} requires`);
            if (!toolkit) checkValues(base, toolkit);
            const line = withLine(base);
            const first = at(line, nextMember(line), toolkit);
            if (AUTH_TYPES[type as keyof typeof AUTH_TYPES].hasBaseFields) assert.ok(first.items.length > 3, type);
            for (const item of first.items) {
              const one = first.chosen(item);
              checkClean(one, toolkit, `${item.label} with ${type}`);
              if (!toolkit) checkValues(one, toolkit, base);
              // Two after another: once is enough.
              if (toolkit || head !== HEAD) continue;
              const reopened = withLine(one);
              const second = at(reopened, nextMember(reopened), toolkit);
              for (const other of second.items)
                checkClean(second.chosen(other), toolkit, `${item.label}, then ${other.label}, with ${type}`);
            }
          }
        });

        it(`whole configurations complete without errors: ${setter}, ${domains}`, () => {
          for (const [before, after] of toolkit
            ? [["", ""]]
            : [
                ["", ""],
                ["{", "}"],
                ["{\n  ", "\n}"],
              ]) {
            const source = `${head}pack.${setter}(${before}${after});\n`;
            const { items, chosen } = at(source, `${head}pack.${setter}(${before}`.length, toolkit);
            const whole = items.filter(({ kind }) => kind === "configuration");
            assert.ok(whole.length > 5);
            for (const item of whole) checkClean(chosen(item), toolkit, item.label);
          }
        });
      }
    }
  });
}

describe("packs completed with the toolkit", () => {
  it("every completed pack compiles", function () {
    this.timeout(120_000);
    assert.ok(checked.size > 100, `${checked.size} packs`);
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-completed-"));
    try {
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
      const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, target: "es2022", module: "nodenext", types: [] };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
      const wrong = `${HEAD}pack.setUserAuthentication({ type: "WebBasic" });\n`;
      for (const [index, source] of [wrong, ...checked].entries()) writeFileSync(join(folder, `${index}.ts`), source);
      const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], { encoding: "utf8" });
      const [first, ...remaining] = stdout.split("\n").filter((line) => /^\S.*error TS/.test(line));
      assert.match(first ?? "", /^\S*\b0\.ts/);
      assert.deepEqual(remaining, []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Each value of the configuration that was not in the one before, with everything that is offered in its place. */
function checkValues(source: string, toolkit: boolean, before = ""): void {
  for (const { index, 0: fieldHead } of source.matchAll(/^ {2}\w+: (?!async)/gm)) {
    const start = index + fieldHead.length;
    if (fieldHead.startsWith("  type:") || index < source.indexOf("({") || before.includes(fieldHead)) continue;
    const end = start + source.slice(start).search(/,\n(?: {2}\w|\})/);
    const inQuotes = source[start] === '"';
    // A few of the many URLs of the catalogue stand for all: whole configurations try each.
    for (const [text, offset] of [
      [source.slice(0, start) + source.slice(end), start],
      ...(inQuotes ? ([[`${source.slice(0, start)}""${source.slice(end)}`, start + 1]] as const) : []),
    ] as const) {
      const { items, chosen } = at(text, offset, toolkit);
      for (const item of items.slice(0, 6)) checkClean(chosen(item), toolkit, `${item.label} as ${fieldHead.trim()}`);
    }
  }
}
