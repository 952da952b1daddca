// One repeated structure after another, asked about in the real server; a new server where one hangs.
import type { LspClient } from "../support/lsp-client.ts";
import { slowestTurn, startForAll } from "./ask-server.ts";
import { createRandom } from "./random.ts";
import { repeated } from "./repeated.ts";

/** Milliseconds that a turn may take on a quiet machine, for any source of a megabyte. */
export const LONGEST_TURN = 1_000;
/** Ten times as long: tests run beside others. */
export const HANG_GUARD = 10 * LONGEST_TURN;

/** How many took longer than they may; each is told. */
export async function fuzzRepeated(first: number, count: number, deadline: number, report: (line: string) => void): Promise<number> {
  let server: LspClient | undefined;
  let slow = 0;
  let inputs = 0;
  for (let seed = first; inputs < count && Date.now() < deadline; seed++) {
    if (server === undefined || server.child.exitCode !== null || server.child.killed) server = await startForAll();
    const { what, text } = repeated(createRandom(seed));
    const { method, milliseconds } = await slowestTurn(server, `file:///pack${seed}/pack.ts`, text, HANG_GUARD);
    inputs++;
    if (milliseconds <= LONGEST_TURN) continue;
    slow++;
    report(`seed ${seed}: ${method} took ${Math.round(milliseconds)} ms, ${what}`);
  }
  report(`${inputs} inputs, ${slow} with a turn of more than ${LONGEST_TURN} ms`);
  server?.child.kill("SIGKILL");
  server?.connection.dispose();
  return slow;
}
