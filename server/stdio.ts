// The connection over standard input and output, as editors other than VS Code have it.
import { Console } from "node:console";
import { type Connection, createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { StreamReader } from "./message-reader.ts";
import { StreamWriter } from "./message-writer.ts";

/** Its process ends with the client's: with code 1 where that ended without a word. */
export function connectStdio(): Connection {
  // Whatever a library prints must not come between messages.
  globalThis.console = new Console(process.stderr);
  const connection = createConnection(ProposedFeatures.all, new StreamReader(process.stdin), new StreamWriter(process.stdout));
  let isShutDown = false;
  connection.onShutdown(() => {
    isShutDown = true;
  });
  const exit = (): never => process.exit(isShutDown ? 0 : 1);
  process.stdin.on("end", exit).on("close", exit);
  return connection;
}
