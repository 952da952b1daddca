// What comes with each key is answered in the turn in which it came: the library queues each message for a turn of the event loop of its
// own, with whatever else waits for one (V8's collector among it), and a key is waited for. Messages are handled in their order all the same.
import {
  ErrorCodes,
  Message,
  type MessageStrategy,
  type MessageWriter,
  ResponseError,
  type ResponseMessage,
} from "vscode-languageserver/node";

/** Beside the connection, which handles the same methods where they cannot be answered at once. */
export interface AtOnce {
  notification<P>(method: string, handle: (params: P) => void): void;
  /** `handle` gives the result, or a ResponseError. */
  request<P>(method: string, handle: (params: P) => unknown): void;
  /** Handles what came in one piece of input, or hands it on to the library. */
  take(messages: readonly Message[], handOn: (message: Message) => void): void;
  /** For the connection: hears when the library gets to a message. */
  readonly strategy: MessageStrategy;
}

interface Handler {
  readonly answers: boolean;
  readonly handle: (params: unknown) => unknown;
}

/** `failed` hears of a notification that could not be handled. */
export function createAtOnce(writer: MessageWriter, failed: (method: string, error: unknown) => void): AtOnce {
  const handlers = new Map<string, Handler>();
  /** Messages that the library has and did not get to yet. One that it drops is counted for ever: then everything goes through it. */
  let waiting = 0;

  const handlerOf = (message: Message): Handler | undefined => {
    const isRequest = Message.isRequest(message);
    if (!isRequest && !Message.isNotification(message)) return undefined;
    const { method, params } = message;
    const handler = handlers.get(method);
    return handler?.answers === isRequest && typeof params === "object" && !Array.isArray(params) ? handler : undefined;
  };

  /** Several questions wait for each other, and behind them may come what takes one back: the library looks for that between them. */
  const canTake = (messages: readonly Message[]): boolean => {
    let questions = 0;
    for (const message of messages) {
      const handler = handlerOf(message);
      if (handler === undefined) return false;
      if (handler.answers) questions++;
    }
    return questions < 2;
  };

  function handle(message: Message): void {
    const { id, method, params } = message as Message & { id?: number | string; method: string; params: unknown };
    const handler = handlers.get(method);
    if (id === undefined) {
      try {
        handler?.handle(params);
      } catch (error) {
        failed(method, error);
      }
    } else void writer.write({ jsonrpc: "2.0", id, ...answer(method, () => handler?.handle(params)) } as ResponseMessage).catch(() => {});
  }

  return {
    notification(method, handler) {
      handlers.set(method, { answers: false, handle: handler as Handler["handle"] });
    },
    request(method, handler) {
      handlers.set(method, { answers: true, handle: handler as Handler["handle"] });
    },
    take(messages, handOn) {
      const isAtOnce = waiting === 0 && canTake(messages);
      for (const message of messages) {
        if (isAtOnce) handle(message);
        else {
          handOn(message);
          if (!isCancel(message)) waiting++;
        }
      }
    },
    strategy: {
      handleMessage(message, next) {
        if (!isCancel(message)) waiting--;
        return next(message);
      },
    },
  };
}

/** The library does not queue those that it can carry out. */
const isCancel = (message: Message): boolean => Message.isNotification(message) && message.method === "$/cancelRequest";

/** As the library answers (JSON-RPC 2.0, Response object). */
function answer(method: string, ask: () => unknown): Pick<ResponseMessage, "result" | "error"> {
  try {
    const given = ask();
    return given instanceof ResponseError ? { error: given.toJson() } : { result: (given ?? null) as object | null };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { error: new ResponseError(ErrorCodes.InternalError, `Request ${method} failed with message: ${why}`).toJson() };
  }
}
