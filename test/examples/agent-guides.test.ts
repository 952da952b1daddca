// The guides for coding agents: their examples have no findings, and their tables name every type with its own fields.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { AGENT_GUIDES, NEW_PACK_TYPES } from "../../platform/pack-template.ts";
import { parseStubs } from "../../platform/sandbox/stubs.ts";
import { AUTH_TYPES } from "../../spec/auth-types.ts";
import { analyse } from "../support/analyse.ts";
import { root } from "../support/packs.ts";

const yaml = createRequire(import.meta.url)("js-yaml") as { load(text: string): unknown };

const PRELUDE = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';

const guides = Object.entries(AGENT_GUIDES).map(([path, name]) => ({
  path,
  text: readFileSync(join(root, "media/agents", name), "utf8"),
}));
const textOf = (end: string): string => guides.find(({ path }) => path.endsWith(end))?.text ?? assert.fail(end);

describe("Guides for agents", () => {
  const skill = textOf("SKILL.md");

  for (const [index, [, source = ""]] of [...guides.flatMap(({ text }) => [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)])].entries())
    it(`example ${index + 1} has no findings`, () => {
      const findings = analyse({ "/pack/pack.ts": PRELUDE + source }, { toolkit: true }).diagnostics("/pack/pack.ts");
      // A Custom authentication is right, and the platform has to approve it.
      assert.deepEqual(
        findings.filter(({ rule }) => rule !== "approval-needed").map(({ rule, message }) => `${rule}: ${message}`),
        [],
      );
    });

  it("the skill has examples, and its answers for the sandbox are valid", () => {
    assert.ok(skill.includes("```ts\n"));
    const [, answers = ""] = /`(\{ "answers".*\})`/.exec(skill) ?? [];
    assert.equal(parseStubs(answers, "sandbox.json").answers.length, 1);
  });

  it("each table names every type that a new pack may have, and no other", () => {
    for (const { path, text } of guides) {
      const rows = text.split("\n").filter((line) => line.startsWith("| "));
      const names = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)).filter((name) => name in AUTH_TYPES);
      assert.deepEqual(names.sort(), [...NEW_PACK_TYPES].sort(), path);
    }
  });

  it("the skill's table names own fields of each type, and all required ones", () => {
    for (const type of NEW_PACK_TYPES) {
      const row = skill.split("\n").find((line) => line.includes(`| \`${type}\` |`)) ?? assert.fail(type);
      const cell = row.split("|").at(-2) ?? "";
      const names = [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
      const { fields } = AUTH_TYPES[type];
      const isIn = (list: readonly string[]) => (name: string) => list.includes(name);
      assert.ok(names.every(isIn(fields.map(({ name }) => name))), row);
      assert.ok(
        fields.filter(({ required }) => required).every(({ name }) => names.includes(name)),
        row,
      );
    }
  });

  it("AGENTS.md has at most 40 lines, and the skill a name and a description", () => {
    assert.ok(textOf("AGENTS.md").trimEnd().split("\n").length <= 40);
    const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? [];
    const { name, description, ...rest } = yaml.load(head) as Record<string, string>;
    assert.deepEqual(rest, {});
    assert.ok(Object.keys(AGENT_GUIDES).includes(`.claude/skills/${name}/SKILL.md`));
    assert.ok(description !== undefined && description.length > 50 && description.length <= 1_024);
  });

  it("docs/agents.md links to both", () => {
    const page = readFileSync(join(root, "docs/agents.md"), "utf8");
    for (const name of Object.values(AGENT_GUIDES)) {
      assert.ok(page.includes(`](../media/agents/${name})`), name);
      assert.ok(existsSync(join(root, "media/agents", name)));
    }
  });
});
