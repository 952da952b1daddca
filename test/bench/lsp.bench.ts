// Keystroke → diagnostics over stdio: ours, a server that finds nothing, and tsserver's semantic diagnostics, the same edits of the same
// files in turns. Each edit draws the order of the turns: the one behind a slow peer takes up to half as long again.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createRandom } from "../fuzz/random.ts";
import { judge, judgeFaster, judgeRatio } from "./figures.ts";
import { type Contender, type LanguageServerContender, languageServer, position } from "./lsp-server.ts";
import { median, milliseconds, quantile, shuffled } from "./statistics.ts";
import { editPlace, makeWorkplace, packsBySize, root } from "./workplace.ts";

/** Of so many, a p99 is the sixth worst: of two hundred it was the second, and told of whatever else the machine did. */
const EDITS = 800;
const WARM_UP = 200;
/** Of a peer that takes a tenth of a second for each edit. */
const SLOW_EDITS = 60;
const SLOW_WARM_UP = 20;

async function tsserver(path: string, text: string): Promise<Contender> {
  const child = spawn(process.execPath, [join(root, "node_modules/typescript-6/lib/tsserver.js"), "--disableAutomaticTypingAcquisition"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let buffer = "";
  let completed: ((seq: number) => void) | undefined;
  child.stdout.on("data", (data: Buffer) => {
    buffer += data.toString();
    for (let end = buffer.indexOf("\n"); end >= 0; end = buffer.indexOf("\n")) {
      const line = buffer.slice(0, end).trim();
      buffer = buffer.slice(end + 1);
      if (!line.startsWith("{")) continue;
      const message = JSON.parse(line) as { event?: string; body?: { request_seq?: number } };
      if (message.event === "requestCompleted") completed?.(message.body?.request_seq ?? -1);
    }
  });
  let seq = 0;
  const send = (command: string, args: unknown): number => {
    seq++;
    child.stdin.write(`${JSON.stringify({ seq, type: "request", command, arguments: args })}\n`);
    return seq;
  };
  const geterr = () =>
    new Promise<void>((resolve) => {
      const request = send("geterr", { files: [path], delay: 0 });
      completed = (sequence) => {
        if (sequence === request) resolve();
      };
    });
  send("open", { file: path, fileContent: text });
  await geterr();
  return {
    async edit(current, insertAt, insert) {
      const start = position(current, insertAt);
      send("change", {
        file: path,
        line: start.line + 1,
        offset: start.character + 1,
        endLine: start.line + 1,
        endOffset: start.character + (insert ? 1 : 2),
        insertString: insert ? "x" : "",
      });
      await geterr();
    },
    stop: () => void child.kill(),
  };
}

export async function benchLanguageServer(): Promise<void> {
  console.log("\nKeystroke → diagnostics over stdio");
  const workplace = makeWorkplace();
  try {
    for (const [index, pack] of packsBySize().entries()) {
      const path = workplace.write(`pack${index}/pack.ts`, pack.text);
      const ours = await languageServer([join(root, "dist/server.cjs"), "--stdio"], path, pack.text);
      const contenders: Record<string, Contender> = {
        ours,
        echo: await languageServer([join(root, "test/bench/echo-server.mjs")], path, pack.text),
        tsserver: await tsserver(path, pack.text),
      };
      const at = editPlace(pack.text);
      await looksAtEdits(ours, pack.text, at);
      const samples: Record<string, number[]> = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
      const random = createRandom(index);
      for (let edit = 0; edit < EDITS; edit++) {
        const turns = Object.entries(contenders).map(([name, contender]) => async (): Promise<void> => {
          const slow = name === "tsserver";
          if (slow && edit >= SLOW_EDITS) return;
          const start = performance.now();
          await contender.edit(pack.text, at, edit % 2 === 0);
          if (edit >= (slow ? SLOW_WARM_UP : WARM_UP)) samples[name]?.push(performance.now() - start);
        });
        for (const turn of shuffled(turns, random)) await turn();
      }
      await looksAtEdits(ours, pack.text, at);
      for (const contender of Object.values(contenders)) await contender.stop();
      judgeSize(pack.lines, samples);
    }
  } finally {
    workplace.remove();
  }
}

/** The measured edit breaks the type of the configuration: our server says so after it, and not after it is undone. */
async function looksAtEdits(ours: LanguageServerContender, text: string, at: number): Promise<void> {
  const broken = await ours.type(text, at, "x", true);
  const mended = await ours.type(text, at, "x", false);
  const says = (findings: typeof broken): boolean => findings.some(({ code }) => code === "auth-type-unknown");
  if (!says(broken) || says(mended)) throw new Error("Our server did not look at the edit that is measured.");
}

function judgeSize(lines: number, samples: Readonly<Record<string, readonly number[]>>): void {
  const of = (name: string): number => median(samples[name] ?? []);
  const ours = of("ours");
  const how = `p50 over stdio after ${WARM_UP} edits: ours ${milliseconds(ours)}`;
  const more = lines > 1_000 ? 4 : 1.5;
  judge({
    what: `over stdio, ${lines} lines, against a server that finds nothing`,
    target: `≤ echo + ${more} ms`,
    measured: `echo + ${milliseconds(ours - of("echo"))}`,
    isMet: ours <= of("echo") + more,
    how: `${how}, echo ${milliseconds(of("echo"))}`,
  });
  const p99 = quantile(samples.ours ?? [], 0.99);
  judgeRatio(`over stdio, ${lines} lines, p99 to p50`, p99 / ours, 10, `p99 ${milliseconds(p99)}`);
  judgeFaster(
    `over stdio, ${lines} lines, than tsserver semantic`,
    of("tsserver") / ours,
    40,
    `${how}, tsserver ${milliseconds(of("tsserver"))}`,
  );
}
