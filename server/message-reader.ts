// Messages from a stream (LSP 3.17, Base Protocol), handed on as soon as they are whole: the library's reader lets a turn of the event
// loop pass before each one, and a key is waited for.
import type { Readable } from "node:stream";
import { AbstractMessageReader, type DataCallback, type Disposable, type Message, type MessageReader } from "vscode-languageserver/node";

const HEADER_END = "\r\n\r\n";

/** A client writes two short lines; what goes on beyond this is no header. */
const LONGEST_HEADER = 8_192;

/** What takes the messages that came whole with one piece of input, in order; `handOn` gives one to the connection. */
export type Take = (messages: readonly Message[], handOn: (message: Message) => void) => void;

const handAllOn: Take = (messages, handOn) => {
  for (const message of messages) handOn(message);
};

/** Errors (no length, no JSON) are told to `onError`; reading goes on with what comes behind them. */
export class StreamReader extends AbstractMessageReader implements MessageReader {
  readonly #stream: Readable;
  readonly #take: Take;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes without which there is nothing to do: a body's, or one of a header. */
  #wanted = 1;
  /** Bytes of the body that is being waited for. */
  #body: number | undefined;

  constructor(stream: Readable, take: Take = handAllOn) {
    super();
    this.#stream = stream;
    this.#take = take;
  }

  listen(callback: DataCallback): Disposable {
    const read = (chunk: Buffer): void => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      if (this.#size >= this.#wanted) this.#read(callback);
    };
    this.#stream.on("data", read);
    this.#stream.on("error", (error: Error) => this.fireError(error));
    this.#stream.on("close", () => this.fireClose());
    return { dispose: () => this.#stream.off("data", read) };
  }

  #read(callback: DataCallback): void {
    const [only] = this.#chunks;
    const bytes = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    const messages: Message[] = [];
    let at = 0;
    for (;;) {
      if (this.#body === undefined) {
        const end = bytes.indexOf(HEADER_END, at, "latin1");
        if (end < 0) break;
        this.#body = this.#lengthIn(bytes.toString("latin1", at, end));
        at = end + HEADER_END.length;
      }
      if (this.#body !== undefined) {
        if (bytes.length - at < this.#body) break;
        const end = at + this.#body;
        this.#body = undefined;
        this.#parse(bytes.toString("utf8", at, end), messages);
        at = end;
      }
    }
    if (this.#body === undefined && bytes.length - at > LONGEST_HEADER) {
      this.fireError(new Error("Header must provide a Content-Length property; none came."));
      at = bytes.length;
    }
    this.#chunks = at < bytes.length ? [bytes.subarray(at)] : [];
    this.#size = bytes.length - at;
    this.#wanted = this.#body ?? 1;
    if (messages.length > 0) this.#take(messages, (message) => this.#handOn(message, callback));
  }

  #lengthIn(header: string): number | undefined {
    const found = /(?:^|\n)content-length:[ \t]*(\d+)[ \t]*(?:\r|$)/i.exec(header)?.[1];
    if (found === undefined) this.fireError(new Error(`Header must provide a Content-Length property.\n${header}`));
    return found === undefined ? undefined : Number(found);
  }

  #parse(text: string, messages: Message[]): void {
    try {
      messages.push(JSON.parse(text));
    } catch (error) {
      this.fireError(error);
    }
  }

  #handOn(message: Message, callback: DataCallback): void {
    try {
      callback(message);
    } catch (error) {
      this.fireError(error);
    }
  }
}
