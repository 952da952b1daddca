// The connection to the editor, over `--stdio` or VS Code's own transport. It is that of the language server library.
import { Console } from "node:console";
import {
  type Connection,
  type ConnectionOptions,
  createConnection,
  LSPErrorCodes,
  Message,
  ProposedFeatures,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";

const OPTIONS: ConnectionOptions = {
  connectionStrategy: {
    // A queued request is answered as cancelled. A request that is being handled is answered before the next message is read.
    cancelUndispatched: (request) =>
      Message.isRequest(request)
        ? { jsonrpc: request.jsonrpc, id: request.id, error: new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled").toJson() }
        : undefined,
  },
};

export function connect(transport: { readonly isStdio: boolean }): Connection {
  return transport.isStdio ? connectStdio() : createConnection(ProposedFeatures.all, OPTIONS);
}

/**
 * Connects over standard input and output. The process ends with its input, with code 1 if the editor did not request a shutdown before.
 */
function connectStdio(): Connection {
  // Output of libraries must not come between messages.
  globalThis.console = new Console(process.stderr);
  const reader = new StreamMessageReader(process.stdin);
  reader.onError((error) => {
    console.error(`A message could not be read: ${error.message}`);
    // After a header without a length, the start of the next message is unknown. A mistake inside a message affects no other.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) process.exit(1);
  });
  const connection = createConnection(ProposedFeatures.all, reader, new StreamMessageWriter(process.stdout), OPTIONS);
  let isShutDown = false;
  connection.onShutdown(() => {
    isShutDown = true;
  });
  const exit = (): never => process.exit(isShutDown ? 0 : 1);
  process.stdin.on("end", exit).on("close", exit);
  return connection;
}
