// What package.json declares, against the sources that do it and the pages that tell of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PALETTE_COMMANDS } from "../../../client/commands/palette-commands.ts";
import { ROWS_OF_ACTIONS } from "../../../client/commands/rows-of-actions.ts";
import { SWITCH_VALUES } from "../../../platform/sandbox/switches.ts";
import { root } from "../../support/packs.ts";

const read = (name: string): string => readFileSync(join(root, name), "utf8");

describe("the extension's manifest", () => {
  const { contributes } = JSON.parse(read("package.json")) as {
    contributes: { commands: readonly { command: string }[]; configuration: { properties: object } };
  };

  it("commands of palette, accounts, views and recordings are declared, and no others", () => {
    const ofRecordings = [...read("client/panel/result-documents.ts").matchAll(/"(packAuth\.\w+)": "/g)].map(([, command]) => command);
    const ofViews = ["sandbox-view.ts", "platform-view.ts"].flatMap((view) =>
      [...read(`client/views/${view}`).matchAll(/registerCommand\("([^"]+)"/g)].map(([, command]) => command),
    );
    const ofLogs = [...read("client/views/log-actions.ts").matchAll(/"(packAuth\.platform\.\w+)": /g)].map(([, command]) => command);
    assert.deepEqual(
      contributes.commands.map(({ command }) => command).sort(),
      [...PALETTE_COMMANDS, ...Object.keys(ROWS_OF_ACTIONS), ...ofViews, ...ofLogs, ...ofRecordings].sort(),
    );
  });

  it("settings and their documentation list the same names", () => {
    const documentedSettings = [...read("docs/configuration.md").matchAll(/^\| (`packAuth\..*?) \|/gm)].flatMap(([, names = ""]) => {
      const [first = "", ...otherNames] = [...names.matchAll(/`(.+?)`/g)].map(([, name = ""]) => name);
      return [first, ...otherNames.map((name) => first.replace(/\.\w+$/, name))];
    });
    assert.deepEqual(Object.keys(contributes.configuration.properties).sort(), documentedSettings.sort());
  });
});

describe("the page about the sandbox", () => {
  it("every switch is documented by its title", () => {
    const titles = [...read("client/views/sandbox-view.ts").matchAll(/\btitle: "([^"]+)"/g)].map(([, title]) => title);
    const rows = [...read("docs/sandbox.md").matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) => cell.split(", "));
    assert.deepEqual(
      titles.filter((title = "") => !rows.includes(title)),
      [],
    );
    assert.equal(titles.length, Object.keys(SWITCH_VALUES).length);
  });
});
