// PNG files as small as a guide wants them: with a palette, and several as one picture that moves.
import { writeFileSync } from "node:fs";
import UPNG from "upng-js";

/** Colours of a picture; what is on a screen has few. */
const COLOURS = 256;

export interface Frame {
  /** A PNG; all frames have the same size. */
  readonly png: Buffer;
  /** Milliseconds that it is seen. */
  readonly time: number;
}

/** Writes one frame, or several as an animated PNG. */
export function writePicture(path: string, frames: readonly Frame[]): void {
  const decoded = frames.map(({ png }) => UPNG.decode(new Uint8Array(png).buffer));
  const [first] = decoded;
  if (first === undefined) throw new Error(`no frame for ${path}`);
  const pixels = decoded.map((each) => UPNG.toRGBA8(each)[0] as ArrayBuffer);
  const times = frames.length > 1 ? frames.map(({ time }) => time) : undefined;
  writeFileSync(path, new Uint8Array(UPNG.encode(pixels, first.width, first.height, COLOURS, times)));
}
