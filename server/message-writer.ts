// Messages to a stream (LSP 3.17, Base Protocol), header and content in one piece and at once: the library's writer writes them one after
// the other, which wakes the client twice, and lets a turn of the event loop pass before.
import type { Writable } from "node:stream";
import { AbstractMessageWriter, type Message, type MessageWriter } from "vscode-languageserver/node";

export class StreamWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stream: Writable;
  #failures = 0;

  constructor(stream: Writable) {
    super();
    this.#stream = stream;
    stream.on("error", (error: Error) => this.fireError(error));
    stream.on("close", () => this.fireClose());
  }

  /** Resolves when the message is handed to the system; rejects, and tells `onError`, where it is not. */
  write(message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      const content = JSON.stringify(message);
      this.#stream.write(`Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`, "utf8", (error) => {
        if (error === undefined || error === null) return resolve();
        this.#failures++;
        this.fireError(error, message, this.#failures);
        reject(error);
      });
    });
  }

  end(): void {
    this.#stream.end();
  }
}
