// The connection to the editor, which is the library's: over `--stdio`, or over VS Code's own transport.
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
    // A request that still waits for its turn is answered as cancelled; one that has its turn is answered before the next message is read.
    cancelUndispatched: (request) =>
      Message.isRequest(request)
        ? { jsonrpc: request.jsonrpc, id: request.id, error: new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled").toJson() }
        : undefined,
  },
};

export function connect(transport: { readonly isStdio: boolean }): Connection {
  return transport.isStdio ? connectStdio() : createConnection(ProposedFeatures.all, OPTIONS);
}

/** The process ends with its input: with code 1 where the editor did not ask for the end before. */
function connectStdio(): Connection {
  // Whatever a library prints must not come between messages.
  globalThis.console = new Console(process.stderr);
  const reader = new StreamMessageReader(process.stdin);
  reader.onError((error) => {
    console.error(`A message could not be read: ${error.message}`);
    // Behind a header without a length nobody knows where the next message starts. What is wrong inside a message harms no other.
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
