// Where facts stand. A statement that an edit leaves alone keeps its facts, and they stand where it stands now: each place is a part of
// what begins at an anchor, and an anchor's start is written by source/ alone.
import type { ts } from "ts-morph";
import type { FileSpan, Place } from "../model/values.ts";

/** Where a statement of the top level begins, with the blanks and comments before it. */
interface Anchor {
  readonly file: string;
  readonly start: number;
}

class AnchoredPlace implements Place {
  readonly anchor: Anchor;
  readonly from: number;
  readonly to: number;

  constructor(anchor: Anchor, from: number, to: number) {
    this.anchor = anchor;
    this.from = from;
    this.to = to;
  }

  get file(): string {
    return this.anchor.file;
  }

  get start(): number {
    return this.anchor.start + this.from;
  }

  get end(): number {
    return this.anchor.start + this.to;
  }
}

/** Gives the places of a tree's nodes. It knows the tree, so it is no part of any facts. */
export class Placing {
  readonly #anchor: Anchor;
  readonly #base: number;
  readonly #source: ts.SourceFile;

  /** `base`: where the anchor's start is in the tree. */
  constructor(anchor: Anchor, base: number, source: ts.SourceFile) {
    this.#anchor = anchor;
    this.#base = base;
    this.#source = source;
  }

  of(node: ts.Node): Place {
    return new AnchoredPlace(this.#anchor, node.getStart(this.#source) - this.#base, node.end - this.#base);
  }

  /** With the blanks and comments before it. */
  whole({ pos, end }: ts.Node): Place {
    return new AnchoredPlace(this.#anchor, pos - this.#base, end - this.#base);
  }

  span(start: number, end: number): Place {
    return new AnchoredPlace(this.#anchor, start - this.#base, end - this.#base);
  }

  point(offset: number): Place {
    return new AnchoredPlace(this.#anchor, offset - this.#base, offset - this.#base);
  }
}

/** Places in a tree that is its file's text as it is now, beside a place of it: they move as that does. */
export const placingIn = (place: Place, tree: ts.SourceFile): Placing => {
  const { anchor } = anchored(place);
  return new Placing(anchor, anchor.start, tree);
};

/** One that stands by itself is its own anchor, for as long as it is right. */
const anchored = (place: Place): { readonly anchor: Anchor; readonly from: number } =>
  place instanceof AnchoredPlace ? place : { anchor: { file: place.file, start: place.start }, from: 0 };

/** The beginning of a place. */
export const startOf = (place: Place): Place => part(place, 0, 0);

/** The end of a place. */
export const endOf = (place: Place): Place => part(place, place.end - place.start, place.end - place.start);

/** From one offset to another, both counted from the start of the place. */
export function part(place: Place, from: number, to: number): Place {
  const { anchor, from: first } = anchored(place);
  return new AnchoredPlace(anchor, first + from, first + to);
}

/** From the start of one to the end of another one of the same statement. */
export const between = (first: Place, last: Place): Place => part(first, 0, last.end - first.start);

/** As plain numbers. */
export const fileSpan = ({ file, start, end }: Place): FileSpan => ({ file, start, end });
