// The pack process's end of the pipe: frames come in on standard input and go out on standard output. Writing blocks while the host
// does not read, so that a flood waits here and not in the host's memory.
import { writeSync } from "node:fs";
import { createFrameReader, frameHeader } from "../../protocol/frames.ts";

const OUT = 1;

/** The host is trusted: what it sends has no limits here but those of a frame. */
const NO_LIMITS = { json: 2 ** 32 - 1, attachment: 2 ** 32 - 1, structure: Number.POSITIVE_INFINITY };

/** Hands each message of the host on; the process ends with the pipe. */
export function listen(receive: (json: string, attachment: string | undefined) => void): void {
  const read = createFrameReader(NO_LIMITS);
  process.stdin.on("data", (chunk: Buffer) => {
    for (const { json, attachment } of read(chunk)) receive(text(json), attachment === undefined ? undefined : text(attachment));
  });
  process.stdin.on("end", () => process.exit(0));
  process.stdin.on("error", () => process.exit(0));
}

export function send(json: string, attachment?: string): void {
  const message = Buffer.from(json);
  const body = attachment === undefined ? undefined : Buffer.from(attachment);
  write(Buffer.concat([frameHeader(message.length, body?.length ?? 0), message, ...(body === undefined ? [] : [body])]));
}

function write(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(OUT, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE" || code === "EOF") process.exit(0);
      if (code !== "EAGAIN") throw error;
    }
  }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
