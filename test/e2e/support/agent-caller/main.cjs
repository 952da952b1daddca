// Calls language model tools in the place of an agent. A journey writes each call into its copy of this folder, and reads the result there; see
// test/e2e/support/agent-caller.ts.
const { readdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");

const folder = __dirname;

exports.activate = ({ subscriptions }) => {
  const started = new Set();
  const timer = setInterval(() => {
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".call"))) {
      if (started.has(name)) continue;
      started.add(name);
      void call(JSON.parse(readFileSync(join(folder, name), "utf8"))).then((result) => {
        writeFileSync(join(folder, `${name}.part`), JSON.stringify(result));
        renameSync(join(folder, `${name}.part`), join(folder, name.replace(/call$/, "result")));
      });
    }
  }, 50);
  subscriptions.push({ dispose: () => clearInterval(timer) });
};

/** Without a tool it lists the names of all tools. */
async function call({ tool, input }) {
  if (tool === undefined) return vscode.lm.tools.map(({ name }) => name);
  try {
    const { content } = await vscode.lm.invokeTool(tool, { toolInvocationToken: undefined, input });
    return JSON.parse(content.map(({ value }) => value).join(""));
  } catch (error) {
    return { error: String(error) };
  }
}
