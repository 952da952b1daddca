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

/** Bytes before a frame: both sizes, big-endian. */
export const FRAME_HEADER = 8;

/** The header of a frame. */
export function frameHeader(json: number, attachment: number): Uint8Array {
  const header = new Uint8Array(FRAME_HEADER);
  const view = new DataView(header.buffer);
  view.setUint32(0, json);
  view.setUint32(4, attachment);
  return header;
}

/**
 * Takes the pipe's chunks and gives what they complete; a frame may be a view of its chunk. Throws {@link FrameTooLarge}, after which
 * nothing more can be read.
 */
export function createFrameReader(limits: FrameLimits): (chunk: Uint8Array) => Frame[] {
  const header = new Uint8Array(FRAME_HEADER);
  const view = new DataView(header.buffer);
  let headerFilled = 0;
  let length = 0;
  /** Of a frame that did not come in one piece. */
  let body: Uint8Array | undefined;
  let filled = 0;
  let jsonLength = 0;
  let structure = 0;

  const open = (): void => {
    jsonLength = view.getUint32(0);
    const attachment = view.getUint32(4);
    if (jsonLength > limits.json || attachment > limits.attachment) throw new FrameTooLarge();
    length = jsonLength + attachment;
    filled = 0;
    structure = 0;
  };
  const isCounted = limits.structure !== Number.POSITIVE_INFINITY;
  const count = (part: Uint8Array): void => {
    if (!isCounted) return;
    for (let at = 0; at < part.length; at++) {
      const byte = part[at];
      if (byte === 0x2c || byte === 0x5b || byte === 0x7b) structure++;
    }
    if (structure > limits.structure) throw new FrameTooLarge();
  };
  const frameOf = (bytes: Uint8Array): Frame => ({
    json: bytes.subarray(0, jsonLength),
    structure,
    ...(bytes.length > jsonLength ? { attachment: bytes.subarray(jsonLength) } : {}),
  });

  return (chunk) => {
    const frames: Frame[] = [];
    let at = 0;
    for (;;) {
      if (headerFilled < FRAME_HEADER) {
        const part = chunk.subarray(at, at + FRAME_HEADER - headerFilled);
        header.set(part, headerFilled);
        headerFilled += part.length;
        at += part.length;
        if (headerFilled < FRAME_HEADER) break;
        open();
      }
      const part = chunk.subarray(at, at + length - filled);
      if (filled < jsonLength) count(part.subarray(0, jsonLength - filled));
      at += part.length;
      if (filled === 0 && part.length === length) frames.push(frameOf(part));
      else {
        body ??= new Uint8Array(length);
        body.set(part, filled);
        filled += part.length;
        if (filled < length) break;
        frames.push(frameOf(body));
      }
      body = undefined;
      headerFilled = 0;
    }
    return frames;
  };
}
