// Places of facts. A statement that an edit does not touch keeps its facts, and their places move with it. Each place is relative to an
// anchor, whose start only source/ writes.
import type { ts } from "ts-morph";
import type { FileSpan, Place } from "../model/values.ts";

/** The start of a top-level statement, with the whitespace and comments before it. */
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

/** Creates the places of a tree's nodes. It refers to the tree, so facts must not contain it. */
export class Placing {
  readonly #anchor: Anchor;
  readonly #base: number;
  readonly #source: ts.SourceFile;

  /** `base` is the anchor's start in the tree. */
  constructor(anchor: Anchor, base: number, source: ts.SourceFile) {
    this.#anchor = anchor;
    this.#base = base;
    this.#source = source;
  }

  of(node: ts.Node): Place {
    return new AnchoredPlace(this.#anchor, node.getStart(this.#source) - this.#base, node.end - this.#base);
  }

  /** Returns the node's place with the whitespace and comments before it. */
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

/** Returns a Placing for a tree of the file's current text. Its places have the anchor of `place`, and move with it. */
export const placingIn = (place: Place, tree: ts.SourceFile): Placing => {
  const { anchor } = anchored(place);
  return new Placing(anchor, anchor.start, tree);
};

/** Returns the anchor of a place. A plain place becomes its own anchor, which is valid until the next edit. */
const anchored = (place: Place): { readonly anchor: Anchor; readonly from: number } =>
  place instanceof AnchoredPlace ? place : { anchor: { file: place.file, start: place.start }, from: 0 };

/** Returns the empty place at the start. */
export const startOf = (place: Place): Place => part(place, 0, 0);

/** Returns the empty place at the end. */
export const endOf = (place: Place): Place => part(place, place.end - place.start, place.end - place.start);

/** Returns a part of a place. Both offsets are relative to the start of the place. */
export function part(place: Place, from: number, to: number): Place {
  const { anchor, from: first } = anchored(place);
  return new AnchoredPlace(anchor, first + from, first + to);
}

/** Returns the place from the start of one to the end of another in the same statement. */
export const between = (first: Place, last: Place): Place => part(first, 0, last.end - first.start);

/** Returns the place as plain numbers. */
export const fileSpan = ({ file, start, end }: Place): FileSpan => ({ file, start, end });
