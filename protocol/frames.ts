// The framing of messages on the pipe between host and pack process. Each frame begins with its size, so that a frame that is too large is
// refused before any of it is buffered or parsed. Bodies travel beside the JSON, as an attachment that is not parsed.

/** One message as a range of bytes: JSON, followed by the UTF-8 text of a body if the message has one. */
export interface Frame<Bytes extends Uint8Array> {
  readonly bytes: Bytes;
  readonly start: number;
  readonly jsonEnd: number;
  readonly end: number;
}

export interface FrameLimits {
  /** Bytes of JSON. */
  readonly json: number;
  /** Bytes of an attachment. */
  readonly attachment: number;
  /** Commas, brackets and braces in the JSON. They determine the cost of parsing, whatever the size. */
  readonly structure: number;
}

export class FrameTooLarge extends Error {}

/** Bytes of a frame's header: the sizes of JSON and attachment, big-endian. */
export const FRAME_HEADER = 8;

/**
 * Returns a function that reads the first `size` bytes of a chunk (all by default) and returns the frames that they complete. A frame may
 * share the memory of its chunk; `allocate` creates the buffer for a frame that arrives in pieces. Throws {@link FrameTooLarge}, after
 * which the reader cannot continue.
 */
export function createFrameReader<Bytes extends Uint8Array>(
  limits: FrameLimits,
  allocate: (size: number) => Bytes,
): (chunk: Bytes, size?: number) => Frame<Bytes>[] {
  const header = new Uint8Array(FRAME_HEADER);
  let headerFilled = 0;
  let jsonLength = 0;
  let length = 0;
  /** The buffer of a frame that arrives in pieces. */
  let body: Bytes | undefined;
  let filled = 0;
  let structure = 0;

  const open = (bytes: Uint8Array, at: number): void => {
    jsonLength = sizeAt(bytes, at);
    const attachment = sizeAt(bytes, at + 4);
    if (jsonLength > limits.json || attachment > limits.attachment) throw new FrameTooLarge();
    length = jsonLength + attachment;
    headerFilled = FRAME_HEADER;
    filled = 0;
    structure = 0;
  };
  const count = (bytes: Uint8Array, from: number, to: number): void => {
    structure += structureOf(bytes, from, to);
    if (structure > limits.structure) throw new FrameTooLarge();
  };

  return (chunk, size = chunk.length) => {
    const frames: Frame<Bytes>[] = [];
    for (let at = 0; ; ) {
      if (headerFilled === 0 && size - at >= FRAME_HEADER) {
        open(chunk, at);
        at += FRAME_HEADER;
      } else {
        while (headerFilled < FRAME_HEADER && at < size) header[headerFilled++] = chunk[at++] as number;
        if (headerFilled < FRAME_HEADER) break;
        if (body === undefined) open(header, 0);
      }
      const part = Math.min(size - at, length - filled);
      // JSON no longer than the limit cannot exceed it, so counting is skipped.
      if (jsonLength > limits.structure && filled < jsonLength) count(chunk, at, at + Math.min(part, jsonLength - filled));
      if (body === undefined && part === length) frames.push({ bytes: chunk, start: at, jsonEnd: at + jsonLength, end: at + length });
      else {
        body ??= allocate(length);
        body.set(chunk.subarray(at, at + part), filled);
        filled += part;
        if (filled < length) break;
        frames.push({ bytes: body, start: 0, jsonEnd: jsonLength, end: length });
        body = undefined;
      }
      at += part;
      headerFilled = 0;
    }
    return frames;
  };
}

/** Returns the number of commas, opening brackets and opening braces from `from` (inclusive) to `to` (exclusive). */
export function structureOf(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count++;
  }
  return count;
}

/** Reads a 32-bit big-endian number. */
const sizeAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) * 0x1000000 + (((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number));
