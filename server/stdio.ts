// The connection over standard input and output, as editors other than VS Code have it.
import { Console } from "node:console";
import { type Connection, createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { type AtOnce, createAtOnce } from "./at-once.ts";
import { StreamReader } from "./message-reader.ts";
import { StreamWriter } from "./message-writer.ts";

/** Its process ends with the client's: with code 1 where that ended without a word. */
export function connectStdio(): { readonly connection: Connection; readonly atOnce: AtOnce } {
  // Whatever a library prints must not come between messages.
  globalThis.console = new Console(process.stderr);
  const writer = new StreamWriter(process.stdout);
  const atOnce = createAtOnce(writer, (method, error) => connection.console.error(`${method} failed: ${String(error)}`));
  const connection = createConnection(ProposedFeatures.all, new StreamReader(process.stdin, atOnce.take), writer, {
    messageStrategy: atOnce.strategy,
  });
  let isShutDown = false;
  connection.onShutdown(() => {
    isShutDown = true;
  });
  const exit = (): never => process.exit(isShutDown ? 0 : 1);
  process.stdin.on("end", exit).on("close", exit);
  return { connection, atOnce };
}
