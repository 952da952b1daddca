// The formats of `pack-auth check`, made from an analysis in memory.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { FORMATS } from "../../../cli/check/check-options.ts";
import { codeFrame } from "../../../cli/check/reports/code-frame.ts";
import { githubReport, githubSummary } from "../../../cli/check/reports/github.ts";
import { jsonReport } from "../../../cli/check/reports/json.ts";
import { prettyReport } from "../../../cli/check/reports/pretty.ts";
import { type Report, summarise } from "../../../cli/check/reports/report.ts";
import { sarifReport } from "../../../cli/check/reports/sarif.ts";
import { hasColours, painter } from "../../../cli/terminal/colour.ts";
import { createProgress } from "../../../cli/terminal/progress.ts";
import { columnsOf } from "../../../cli/terminal/width.ts";
import { checkoutRoot } from "../../../cli/terminal/workflow.ts";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { analyse, type Files, split, unmark } from "../../support/analyse.ts";
import { notRun } from "../../support/not-run.ts";
import { root } from "../../support/packs.ts";
import { sarifProblems, standardProblems, standardSchema } from "../../support/sarif.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';
const BAD = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });\n`;

function reportOf(files: Files, more: Partial<Report> = {}): Report {
  const analysis = analyse(files);
  const checked = Object.entries(files).map(([path, text]) => ({ path, text, isNamed: true, diagnostics: analysis.diagnostics(path) }));
  return {
    files: checked,
    summary: summarise(more.files ?? checked),
    appliedFixes: undefined,
    failures: [],
    cwd: "/pack",
    root: "/pack",
    version: "1.2.3",
    paint: painter(false),
    width: 80,
    docs: (rule) => `file:///docs/rules/${rule}.md`,
    text: (path) => files[path] ?? "",
    ...more,
  };
}

/** A report with every kind of finding that the rules' examples have. */
const everything = (): Report =>
  reportOf(
    Object.fromEntries(
      RULES.flatMap((rule) => rule.examples.flatMap(({ bad }) => bad ?? [])).flatMap((bad, index) =>
        Object.entries(unmark(split(bad)).files).map(([path, text]) => [path.replace("/pack/", `/pack/${index} ü#/`), text]),
      ),
    ),
  );

describe("the sarif report", () => {
  it("the report follows the standard for every rule's examples", () => {
    const log = JSON.parse(sarifReport(everything(), RULES));
    assert.deepEqual(sarifProblems(log), []);
    assert.ok(log.runs[0].results.length > RULES.length);
    for (const { ruleId, ruleIndex, locations } of log.runs[0].results) {
      assert.equal(log.runs[0].tool.driver.rules[ruleIndex].id, ruleId);
      const { artifactLocation } = locations[0].physicalLocation;
      assert.equal(log.runs[0].artifacts[artifactLocation.index].location.uri, artifactLocation.uri);
    }
  });

  if (standardSchema === undefined) notRun("the standard's own schema (name a copy in TESTS_SARIF_SCHEMA)");
  else
    it("the report follows the standard's own schema", () => {
      assert.deepEqual(standardProblems(JSON.parse(sarifReport(everything(), RULES)), standardSchema ?? ""), []);
      assert.ok(standardProblems({ version: "2.1.0", runs: [{}] }, standardSchema ?? "").length > 0);
    });

  it("columns count from 1 in UTF-16 units, and paths are encoded", () => {
    const text = BAD.replace("pack.setUser", "/* 😀 */ pack.setUser");
    const log = JSON.parse(sarifReport(reportOf({ "/pack/a b#ü.ts": text }, { failures: ["x cannot be read."] }), RULES));
    const [{ locations, fixes }] = log.runs[0].results;
    const { artifactLocation, region } = locations[0].physicalLocation;
    assert.equal(artifactLocation.uri, "a%20b%23%C3%BC.ts");
    assert.deepEqual(region, { startLine: 4, startColumn: 69, endLine: 4, endColumn: 76 });
    assert.deepEqual(fixes[0].artifactChanges[0].replacements, [{ deletedRegion: region, insertedContent: { text: "WebBasic" } }]);
    assert.equal(log.runs[0].invocations[0].executionSuccessful, false);
    assert.equal(log.runs[0].originalUriBaseIds["%SRCROOT%"].uri, "file:///pack/");
  });
});

describe("the json report", () => {
  it("the report has the documented shape for every rule's examples", () => {
    const report = everything();
    const { version, files, summary } = JSON.parse(jsonReport(report));
    assert.equal(version, 1);
    assert.equal(summary.files, report.files.length);
    assert.deepEqual(Object.keys(summary), ["files", "errors", "warnings", "informations", "verdicts"]);
    const counted = { error: 0, warning: 0, information: 0 };
    for (const file of files) {
      assert.deepEqual(Object.keys(file), ["path", "diagnostics"]);
      for (const diagnostic of file.diagnostics) {
        const { verdict, ...always } = diagnostic;
        assert.deepEqual(Object.keys(always), ["rule", "severity", "message", "range", "docs", "fixes"]);
        assert.ok(verdict === undefined || verdict in summary.verdicts, verdict);
        counted[diagnostic.severity as keyof typeof counted]++;
        for (const fix of diagnostic.fixes) {
          assert.deepEqual(Object.keys(fix), ["title", "edits"]);
          for (const edit of fix.edits) assert.deepEqual(Object.keys(edit), ["path", "range", "newText"]);
        }
      }
    }
    assert.deepEqual(counted, { error: summary.errors, warning: summary.warnings, information: summary.informations });
  });
});

describe("the github report", () => {
  it("text is escaped for the runner, and paths start at the checkout's root", () => {
    const report = reportOf({ "/pack/a,b:c%.ts": BAD });
    const [diagnostic] = report.files[0]?.diagnostics ?? [];
    assert.ok(diagnostic);
    const odd = { ...report.files[0], diagnostics: [{ ...diagnostic, message: "50% of\r\nit: a, b" }] } as Report["files"][number];
    assert.equal(
      githubReport({ ...report, files: [odd], root: "/" }).split("\n")[0],
      "::error file=pack/a%2Cb%3Ac%25.ts,line=4,endLine=4,col=60,endColumn=67,title=auth-type-unknown::50%25 of%0Ait: a, b",
    );
    assert.match(githubReport(report), /^::error file=a%2Cb/);
    assert.match(githubReport(reportOf({}, { failures: ["x cannot be read."] })), /^::error::x cannot be read\.\n0 errors/);
  });

  it("columns are left out over several lines, and each severity has a word", () => {
    const report = reportOf({ "/pack/pack.ts": BAD });
    const [diagnostic] = report.files[0]?.diagnostics ?? [];
    assert.ok(diagnostic);
    const line = (severity: "warning" | "information", end: number): string =>
      githubReport({
        ...report,
        files: [
          { path: "/pack/p.ts", text: BAD, isNamed: true, diagnostics: [{ ...diagnostic, severity, place: { ...diagnostic.place, end } }] },
        ],
      });
    assert.match(line("warning", BAD.length), /^::warning file=p\.ts,line=4,endLine=5,title=/);
    assert.match(line("information", diagnostic.place.end), /^::notice file=p\.ts,line=4,endLine=4,col=60/);
  });
});

describe("the summary of a job", () => {
  it("each finding has a row, the errors first, without foreign markup", () => {
    const report = reportOf({ "/pack/<b>|.ts": BAD });
    const [diagnostic] = report.files[0]?.diagnostics ?? [];
    assert.ok(diagnostic);
    const warning = { ...diagnostic, severity: "warning" as const, message: "[a](https://evil.example) | <img>\n# b" };
    const files = [{ path: "/pack/<b>|.ts", text: BAD, isNamed: true, diagnostics: [warning, diagnostic] }];
    const summary = githubSummary({ ...report, files, summary: summarise(files) });
    const [head, , , , first, second] = summary.split("\n");
    assert.equal(head, "### Pack Auth: 1 error, 1 warning, 0 notices in 1 file. The upload rejects 2");
    assert.match(first ?? "", /^\| error \| \\<b\\>\\\|\\\.ts\\:4\\:60 \| `auth-type-unknown` \| Did you mean WebBasic\\\?/);
    assert.match(second ?? "", /\| \\\[a\\\]\\\(https\\:\\\/\\\/evil\\\.example\\\) \\\| \\<img\\> \\# b \|$/);
  });

  it("the summary is cut after 200 rows, and says so", () => {
    const report = reportOf({ "/pack/pack.ts": BAD });
    const [diagnostic] = report.files[0]?.diagnostics ?? [];
    assert.ok(diagnostic);
    const summary = githubSummary({
      ...report,
      files: [{ path: "/pack/p.ts", text: BAD, isNamed: true, diagnostics: Array(203).fill(diagnostic) }],
    });
    assert.equal(summary.match(/^\| error/gm)?.length, 200);
    assert.match(summary, /\n3 more are in the log\.\n/);
  });
});

it("annotations and code scanning have paths from the checkout's root, also below it", () => {
  assert.equal(checkoutRoot("/checkout/packs/a", { GITHUB_WORKSPACE: "/checkout" }), "/checkout");
  assert.equal(checkoutRoot("/elsewhere", { GITHUB_WORKSPACE: "/checkout" }), "/elsewhere");
  assert.equal(checkoutRoot("/pack", {}), "/pack");
  const below = reportOf({ "/pack/a/pack.ts": BAD }, { cwd: "/pack/a" });
  const [run] = JSON.parse(sarifReport(below, RULES)).runs;
  const { uri } = run.results[0].locations[0].physicalLocation.artifactLocation;
  assert.deepEqual([uri, run.originalUriBaseIds["%SRCROOT%"].uri], ["a/pack.ts", "file:///pack/"]);
  assert.match(githubReport(below), /^::error file=a\/pack\.ts,/);
});

it("a SARIF report has no address that only the checking machine knows", () => {
  assert.ok(!sarifReport(reportOf({ "/pack/pack.ts": BAD }), RULES).includes("file:///docs"));
});

describe("the pretty report", () => {
  it("a finding has its line with neighbours, a mark, and its fix", () => {
    assert.equal(
      prettyReport(reportOf({ "/pack/pack.ts": BAD })),
      `pack.ts:4:60 error auth-type-unknown
  Did you mean WebBasic? WebBsic is not an authentication type, so the platform rejects the pack.
  3 | pack.addNetworkDomain("example.com");
  4 | pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });
    |                                                            ^^^^^^^
  5 |
  fix: Change to WebBasic

1 error, 0 warnings in 1 file
The upload rejects 1
1 problem can be fixed by --fix
See pack-auth explain <rule> for more about a rule
`,
    );
  });

  it("marks are right for wide, tabbed, long and multi-line text, and at the end", () => {
    const frame = (text: string, what: string): string[] => codeFrame(text, spanOf(text, what), painter(false), 80).split("\n");
    const spanOf = (text: string, what: string) => ({ start: text.indexOf(what), end: text.indexOf(what) + what.length });
    assert.deepEqual(frame("\t日本 bad", "bad"), ["  1 |   日本 bad", "    |        ^^^", ""]);
    assert.deepEqual(frame("a\r\nbad {\r\n}", "bad {\r\n}"), ["  1 | a", "  2 | bad {", "    | ^^^^^", "  3 | }", ""]);
    assert.deepEqual(frame("", ""), ["  1 |", "    | ^", ""]);
    const [line = "", mark = ""] = frame(`${"x".repeat(5000)}bad${"y".repeat(5000)}`, "bad");
    assert.ok(line.length <= 80);
    assert.equal(line.slice(mark.indexOf("^"), mark.lastIndexOf("^") + 1), "bad");
  });

  it("code frames fit the width, with the mark under the finding, for any line", () => {
    const parts = ["x", "\t", "日", "😀", "é", " "];
    const piece = fc.array(fc.constantFrom(...parts), { maxLength: 120 }).map((list) => list.join(""));
    fc.assert(
      fc.property(piece, piece, fc.integer({ min: 30, max: 200 }), (before, after, width) => {
        const text = `${before}bad${after}`;
        const start = before.length;
        const rows = codeFrame(text, { start, end: start + 3 }, painter(false), width).split("\n");
        for (const row of rows) assert.ok(columnsOf(row) <= width, row);
        const [line = "", mark = ""] = rows;
        assert.equal(columnsOf(line.slice(0, line.indexOf("bad"))), mark.indexOf("^"), `${line}\n${mark}`);
        assert.match(mark, /^[^^]*\^\^\^$/);
      }),
    );
  });

  it("a repeated note has one entry with its other places, and each warning its own", () => {
    const report = reportOf({ "/pack/pack.ts": BAD });
    const [diagnostic] = report.files[0]?.diagnostics ?? [];
    assert.ok(diagnostic);
    const places = [
      diagnostic.place,
      { ...diagnostic.place, start: 0, end: 6 },
      { ...diagnostic.place, start: HEAD.length, end: HEAD.length + 4 },
    ];
    const reportWith = (severity: "warning" | "information"): string => {
      const files = [
        { path: "/pack/p.ts", text: BAD, isNamed: true, diagnostics: places.map((place) => ({ ...diagnostic, severity, place })) },
      ];
      return prettyReport({ ...report, files, summary: summarise(files) });
    };
    assert.equal(reportWith("warning").match(/^p\.ts:/gm)?.length, 3);
    assert.equal(reportWith("information").match(/^p\.ts:/gm)?.length, 1);
    assert.match(reportWith("information"), /^p\.ts:4:60 note auth-type-unknown\n/);
    assert.match(reportWith("information"), /\n {2}2 more: 1:1, 4:1\n/);
    assert.match(reportWith("information"), /0 errors, 0 warnings, 3 notes in 1 file\n/);
  });

  it("a note that several files have is shown once, with the other files", () => {
    const report = reportOf({ "/pack/pack.ts": BAD });
    const [diagnostic] = report.files[0]?.diagnostics ?? [];
    assert.ok(diagnostic);
    const output = (severity: "warning" | "information"): string => {
      const files = ["a", "b", "c"].map((name) => ({
        path: `/pack/${name}.ts`,
        text: BAD,
        isNamed: true,
        diagnostics: [{ ...diagnostic, severity, message: name === "b" ? "Other words." : diagnostic.message }],
      }));
      return prettyReport({ ...report, files, summary: summarise(files) });
    };
    assert.deepEqual(output("information").match(/^\w\.ts:/gm), ["a.ts:", "b.ts:"]);
    assert.match(output("information"), /\n {2}the same in 1 more file: c\.ts\n/);
    assert.match(output("information"), /0 errors, 0 warnings, 3 notes in 3 files\n/);
    assert.deepEqual(output("warning").match(/^\w\.ts:/gm), ["a.ts:", "b.ts:", "c.ts:"]);
  });

  it("control characters do not reach the terminal", () => {
    const text = BAD.replace("WebBsic", "WebBsic, \u001b[2J\u202e\u0007: 1");
    const output = prettyReport(reportOf({ "/pack/\u001b[31m.ts": text }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    assert.ok(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/.test(output), JSON.stringify(output));
  });

  it("colours depend on the terminal and the environment", () => {
    const terminal = { isTTY: true };
    assert.ok(hasColours(terminal, {}));
    assert.ok(!hasColours({}, {}));
    assert.ok(!hasColours(terminal, { NO_COLOR: "1" }));
    assert.ok(hasColours(terminal, { NO_COLOR: "" }));
    assert.ok(!hasColours(terminal, { TERM: "dumb" }));
    assert.ok(hasColours({}, { FORCE_COLOR: "1", NO_COLOR: "1" }));
    assert.ok(!hasColours(terminal, { FORCE_COLOR: "0" }));
    assert.ok(prettyReport(reportOf({ "/pack/pack.ts": BAD }, { paint: painter(true) })).includes("\u001b[31merror\u001b[39m"));
  });
});

it("progress of a long check appears on a terminal only, and is erased", () => {
  const progressOutput = (isTTY: boolean, times: readonly number[]): string => {
    let output = "";
    let time = 0;
    const progress = createProgress({ isTTY, write: (text: string) => (output += text) }, () => time);
    for (const [index, at] of times.entries()) {
      time = at;
      progress.show(index + 1, times.length);
    }
    progress.end();
    return output;
  };
  assert.equal(progressOutput(true, [10, 500, 999]), "");
  assert.equal(progressOutput(false, [10, 5000]), "");
  assert.equal(progressOutput(true, [10, 1500, 1550, 1700]), "\r\u001b[KChecked 2 of 4 files…\r\u001b[KChecked 4 of 4 files…\r\u001b[K");
});

it("the command line's docs describe each report format of check", () => {
  const docs = readFileSync(join(root, "docs/command-line.md"), "utf8");
  for (const format of FORMATS) assert.match(docs, new RegExp(`\`${format}\` (?:is|writes) `));
});
