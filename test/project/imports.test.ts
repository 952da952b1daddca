// The walls of the house: which room may import which (ARCHITECTURE.md), and no path of anyone's machine in the sources.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, normalize } from "node:path";
import { ts } from "ts-morph";
import { ROOMS, type Room, WALLS } from "../../scripts/walls.ts";
import { root } from "../support/packs.ts";

const tracked = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .stdout.split("\n")
  .filter(Boolean);

const roomOf = (path: string): Room | undefined => ROOMS.find((room) => path === room || path.startsWith(`${room}/`));

export function importsOf(source: string): readonly string[] {
  return ts.preProcessFile(source, true, true).importedFiles.map((file) => file.fileName);
}

/** Types of ts-morph are for every room of the analysis: they are nothing at run time. */
const TYPES_OF_MORPH = /^import type \{ ts \} from "ts-morph";$/m;

/** Each set of files that import one another, types or values, in a circle (Tarjan's strongly connected components). */
export function circlesIn(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    lowest.set(file, index);
    open.push(file);
    for (const next of imports.get(file) ?? []) {
      const reached = order.has(next) ? (open.includes(next) ? order.get(next) : undefined) : visit(next);
      if (reached !== undefined) lowest.set(file, Math.min(lowest.get(file) ?? index, reached));
    }
    if (lowest.get(file) === index) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return lowest.get(file) ?? index;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/** What is written as a recursion over several files. */
const RECURSIONS: readonly RegExp[] = [/^server\/analysis\/syntax\/evaluate(\.ts|\/)/];

/** Why the import may not stand there; undefined where it may. */
export function breach(file: string, specifier: string): string | undefined {
  const room = roomOf(file);
  if (room === undefined) return undefined;
  const walls = WALLS[room];
  if (specifier.startsWith(".")) {
    const target = normalize(join(dirname(file), specifier)).replaceAll("\\", "/");
    // The version of the product is in its manifest alone.
    if (file === "base/product-version.ts" && target === "package.json") return undefined;
    const to = roomOf(target);
    return to !== undefined && walls.rooms.includes(to) ? undefined : `${file} (${room}) imports ${target}`;
  }
  const isNode = specifier.startsWith("node:") || builtinModules.includes(specifier);
  const allowed = walls.packages.some((name) => (name === "node" ? isNode : specifier === name || specifier.startsWith(`${name}/`)));
  return allowed ? undefined : `${file} (${room}) imports ${specifier}`;
}

describe("imports between rooms", () => {
  const sources = tracked.filter((path) => /\.ts$/.test(path) && !path.endsWith(".d.ts"));

  it("every source is in a known room", () => {
    const elsewhere = sources.filter((path) => roomOf(path) === undefined && !/^(test|scripts|examples)\//.test(path));
    assert.deepEqual(elsewhere, []);
  });

  it("every room has a source", () => {
    assert.deepEqual(
      ROOMS.filter((room) => !sources.some((path) => roomOf(path) === room)),
      [],
    );
  });

  it("no room imports a forbidden one", () => {
    const breaches = sources.flatMap((file) => {
      // Types for tools that the host gives do not count as imports at run time, but rooms do: all are looked at.
      const source = readFileSync(join(root, file), "utf8");
      const isOfAnalysis = file.startsWith("server/analysis/");
      return importsOf(isOfAnalysis ? source.replace(TYPES_OF_MORPH, "") : source).flatMap((specifier) => breach(file, specifier) ?? []);
    });
    assert.deepEqual(breaches, []);
  });

  it("files do not import one another in a circle, except for named recursions", () => {
    const imports = new Map(
      sources
        .filter((file) => roomOf(file) !== undefined)
        .map((file) => [
          file,
          importsOf(readFileSync(join(root, file), "utf8"))
            .filter((specifier) => specifier.startsWith("."))
            .map((specifier) => normalize(join(dirname(file), specifier)).replaceAll("\\", "/")),
        ]),
    );
    const circles = circlesIn(imports).filter((circle) => !RECURSIONS.some((name) => circle.every((file) => name.test(file))));
    assert.deepEqual(circles, []);
    assert.deepEqual(
      circlesIn(
        new Map([
          ["a", ["b"]],
          ["b", ["c"]],
          ["c", ["a", "d"]],
          ["d", ["d"]],
        ]),
      ),
      [["a", "b", "c"]],
    );
  });

  it("the command line uses the process in two files, so that a verb runs in any process", () => {
    const ofProcess =
      /\bprocess\.(?:env|cwd|std\w+|exit\w*|argv|on|once|off|emit|chdir)\b|\} = process;|\b__(?:dir|file)name\b|\bimport\.meta\b|\bconsole\.\w/;
    assert.deepEqual(sources.filter((file) => file.startsWith("cli/") && ofProcess.test(readFileSync(join(root, file), "utf8"))).sort(), [
      "cli/main.ts",
      "cli/terminal/process-terminal.ts",
    ]);
  });

  it("rooms do not import one another in a circle", () => {
    const rooms = new Map(ROOMS.map((room) => [room, WALLS[room].rooms.filter((other) => other !== room)]));
    assert.deepEqual(circlesIn(rooms), []);
  });

  it("the check finds breaches", () => {
    assert.ok(breach("client/x.ts", "../server/main.ts"));
    assert.ok(breach("platform/x.ts", "vscode"));
    assert.ok(breach("platform/runner/x.ts", "../requests/broker.ts"));
    assert.ok(breach("server/analysis/x.ts", "node:fs"));
    assert.ok(breach("server/analysis/model/x.ts", "../pack/pack.ts"));
    assert.ok(breach("server/analysis/syntax/x.ts", "ts-morph"));
    assert.ok(breach("server/analysis/rules/x.ts", "../wrap.ts"));
    assert.ok(breach("client/webview/x.ts", "node:fs"));
    assert.equal(breach("client/x.ts", "../platform/runs/run.ts"), undefined);
    assert.deepEqual(importsOf('import type { A } from "./a.ts";\nexport * from "b";\nimport "c";\nconst d = await import("d");'), [
      "./a.ts",
      "b",
      "c",
      "d",
    ]);
  });

  it("no file names a path of anyone's machine, or a registry", () => {
    const offendingFiles = tracked
      .filter((path) => !path.endsWith(".png") && path !== "test/project/imports.test.ts")
      .filter((path) =>
        /(^|[^A-Za-z0-9_.])\/(work|home|Users|root)\/[a-z]|registry\.npmjs|\/tmp\//.test(readFileSync(join(root, path), "utf8")),
      );
    assert.deepEqual(offendingFiles, []);
  });
});
