// How messages stand on the pipe between host and pack process: each frame says its size first, so that one that is too large is
// refused before a byte of it is kept or parsed. Bodies travel beside the JSON, as an attachment that nobody parses.

/** One message: JSON, and the UTF-8 text of a body where it has one. */
export interface Frame {
  readonly json: Uint8Array;
  readonly attachment?: Uint8Array;
  /** Commas, brackets and braces in the JSON. */
  readonly structure: number;
}

export interface FrameLimits {
  /** Bytes of JSON. */
  readonly json: number;
  /** Bytes of an attachment. */
  readonly attachment: number;
  /** Commas, brackets and braces in the JSON: what parsing it costs, whatever its size. */
  readonly structure: number;
}

export class FrameTooLarge extends Error {}

const HEADER = 8;

/** The bytes before a frame: both sizes, big-endian. */
export function frameHeader(json: number, attachment: number): Uint8Array {
  const header = new Uint8Array(HEADER);
  const view = new DataView(header.buffer);
  view.setUint32(0, json);
  view.setUint32(4, attachment);
  return header;
}

/** Takes the pipe's chunks and gives what they complete. Throws {@link FrameTooLarge}, after which nothing more can be read. */
export function createFrameReader(limits: FrameLimits): (chunk: Uint8Array) => Frame[] {
  const header = new Uint8Array(HEADER);
  let headerFilled = 0;
  let body: Uint8Array | undefined;
  let filled = 0;
  let jsonLength = 0;
  let structure = 0;

  const open = (): void => {
    const view = new DataView(header.buffer);
    jsonLength = view.getUint32(0);
    const attachment = view.getUint32(4);
    if (jsonLength > limits.json || attachment > limits.attachment) throw new FrameTooLarge();
    body = new Uint8Array(jsonLength + attachment);
    filled = 0;
    structure = 0;
  };
  const count = (part: Uint8Array): void => {
    for (const byte of part) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) structure++;
    if (structure > limits.structure) throw new FrameTooLarge();
  };

  return (chunk) => {
    const frames: Frame[] = [];
    let at = 0;
    while (at < chunk.length || (body !== undefined && filled === body.length)) {
      if (body === undefined) {
        const part = chunk.subarray(at, at + HEADER - headerFilled);
        header.set(part, headerFilled);
        headerFilled += part.length;
        at += part.length;
        if (headerFilled < HEADER) break;
        open();
        continue;
      }
      const part = chunk.subarray(at, at + body.length - filled);
      if (filled < jsonLength) count(part.subarray(0, jsonLength - filled));
      body.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < body.length) break;
      frames.push({
        json: body.subarray(0, jsonLength),
        structure,
        ...(body.length > jsonLength ? { attachment: body.subarray(jsonLength) } : {}),
      });
      body = undefined;
      headerFilled = 0;
    }
    return frames;
  };
}
