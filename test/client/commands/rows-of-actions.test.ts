import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROWS_OF_ACTIONS } from "../../../client/commands/rows-of-actions.ts";
import { root } from "../../support/packs.ts";

interface MenuItem {
  readonly command: string;
  readonly when: string;
}

describe("actions of an account", () => {
  const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    contributes: { menus: Record<string, readonly MenuItem[]> };
  };
  const items = contributes.menus["view/item/context"]?.filter(({ command }) => command.startsWith("packAuth.accounts.")) ?? [];

  it("each action is for the rows whose menus have it", () => {
    for (const { command, when } of items) {
      const [, pattern, value] = /viewItem (?:=~ \/(.*)\/|== (\S+))$/.exec(when) ?? [];
      const expectedPattern = pattern ?? `^${value?.replaceAll(".", "\\.")}$`;
      assert.equal(new Map(Object.entries(ROWS_OF_ACTIONS)).get(command)?.source, expectedPattern, command);
    }
  });
  it("every action is in a menu", () => {
    assert.deepEqual([...new Set(items.map(({ command }) => command))].sort(), Object.keys(ROWS_OF_ACTIONS).sort());
  });
});
