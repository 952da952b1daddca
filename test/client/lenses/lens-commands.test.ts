// Lenses: a click on one that is drawn still finds its command, and nothing is drawn anew while nothing about it changes.
import assert from "node:assert/strict";
import { createLensCommands } from "../../../client/lenses/lens-commands.ts";
import { createShownLenses } from "../../../client/lenses/shown-lenses.ts";

describe("commands of lenses", () => {
  /** As the editor keeps commands. */
  function editor() {
    const registered = new Map<string, () => unknown>();
    const ran: unknown[] = [];
    const commands = createLensCommands((name, command, argument) => {
      assert.ok(!registered.has(name));
      registered.set(name, () => ran.push([command, argument]));
      return { dispose: () => void registered.delete(name) };
    });
    return { commands, registered, ran, click: (name: string) => registered.get(name)?.() };
  }
  const formula = (name: string) => ({ entry: "/pack.ts", kind: "formula", name });

  it("a click after a refresh runs the lens's command with its argument", () => {
    const { commands, ran, click } = editor();
    const before = commands.nameOf("packAuth.runFormula", formula("Hello"));
    const otherNames = ["packAuth.runFormula", "packAuth.debugFormula"].map((command) => commands.nameOf(command, formula("Bye")));
    assert.equal(new Set([before, ...otherNames]).size, 3);
    assert.equal(commands.nameOf("packAuth.runFormula", formula("Hello")), before);
    click(before);
    assert.deepEqual(ran, [["packAuth.runFormula", formula("Hello")]]);
  });

  it("commands do not pile up while a name is typed, and end with the window", () => {
    const { commands, registered, click, ran } = editor();
    for (let letters = 0; letters < 3_000; letters++) commands.nameOf("packAuth.runFormula", formula(`Hello${letters}`));
    assert.equal(registered.size, 1_000);
    click(commands.nameOf("packAuth.runFormula", formula("Hello2999")));
    assert.equal(ran.length, 1);
    commands.dispose();
    assert.equal(registered.size, 0);
  });
});

describe("lenses on screen", () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it("lenses are requested again only when they would differ", async () => {
    let lenses: readonly unknown[] = ["Run"];
    let changeCount = 0;
    const shownLenses = createShownLenses<string>(
      async () => lenses,
      () => changeCount++,
    );
    shownLenses.look();
    await settled();
    assert.equal(changeCount, 0);
    shownLenses.gave("pack.ts", lenses);
    shownLenses.look();
    shownLenses.look();
    await settled();
    assert.equal(changeCount, 0);
    lenses = ["Connect", "Run"];
    shownLenses.look();
    await settled();
    assert.equal(changeCount, 1);
    shownLenses.forget("pack.ts");
    lenses = [];
    shownLenses.look();
    await settled();
    assert.equal(changeCount, 1);
  });

  it("lenses are compared again after a change meanwhile, and requested after a failure", async () => {
    let looks = 0;
    let changeCount = 0;
    let finish = (_: readonly unknown[]): void => {};
    const shownLenses = createShownLenses<string>(
      () => {
        looks++;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      () => changeCount++,
    );
    shownLenses.gave("pack.ts", []);
    shownLenses.look();
    shownLenses.look();
    shownLenses.look();
    finish([]);
    await settled();
    assert.equal(looks, 2);
    finish([]);
    await settled();
    assert.deepEqual([looks, changeCount], [2, 0]);
    const failing = createShownLenses<string>(
      () => Promise.reject(new Error("gone")),
      () => changeCount++,
    );
    failing.gave("pack.ts", []);
    failing.look();
    await settled();
    assert.equal(changeCount, 1);
  });
});
