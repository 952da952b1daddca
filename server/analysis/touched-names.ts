// Which of a file's names edits had to do with, so that what was read of other statements can be kept. A name that a statement declares
// inside itself is seen by nobody else and does not count, nor does what an edited statement does to a name as it did before.
import { type DeclarationPart, declaredNames, FILE_SCOPE } from "./declarations.ts";
import { find } from "./find-declaration.ts";
import { keptWith } from "./kept-with.ts";

/** More names than are touched between two looks; then anything may have changed. */
const MOST_NAMES = 1000;

const NONE: ReadonlySet<string> = new Set();

/** One for a source, as long as it is open. Its fields are hidden from who compares or writes out facts. */
export class TouchedNames {
  readonly #moments = new Map<string, number>();
  /** When everything was read anew the last time. */
  #everything = 0;
  /** When a name was touched the last time. */
  #latest = 0;
  #now = 0;

  /** Counts the renewals of the source's facts. */
  get now(): number {
    return this.#now;
  }

  /** The file was read anew, or its imports and exports were. */
  touchAll(): void {
    this.#now++;
    this.#everything = this.#now;
    this.#moments.clear();
  }

  /** What the statements of an edit, those that are gone and those that came, say otherwise of names that others see. */
  touch(gone: readonly DeclarationPart[], come: readonly DeclarationPart[]): void {
    this.#now++;
    const before = effectsOf(gone);
    const after = effectsOf(come);
    for (const [name, effect] of after) if (before.get(name) !== effect || effect === DECLARED) this.#touch(name);
    for (const [name, effect] of before) if (!after.has(name) || effect === DECLARED) this.#touch(name);
    if (this.#moments.size <= MOST_NAMES) return;
    this.#moments.clear();
    this.#everything = this.#now;
  }

  #touch(name: string): void {
    this.#moments.set(name, this.#now);
    this.#latest = this.#now;
  }

  /** The names that were touched after a moment; undefined where anything may have changed. */
  since(moment: number): ReadonlySet<string> | undefined {
    if (moment < this.#everything) return undefined;
    if (moment >= this.#latest) return NONE;
    const names = new Set<string>();
    for (const [name, touched] of this.#moments) if (touched > moment) names.add(name);
    return names;
  }
}

/** Names that others see → what is done to them, in words; {@link DECLARED} where more than words would have to be compared. */
type Effects = ReadonlyMap<string, string>;

const DECLARED = "declared";
/** Aliases and changes of a name, each of which is looked for among its declarations; more are taken for touched by any edit. */
const MOST_LOOKS = 1000;

function effectsOf(parts: readonly DeclarationPart[]): Effects {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return effectsOfPart(first);
  const all = new Map<string, string>();
  for (const part of parts)
    for (const [name, effect] of effectsOfPart(part))
      all.set(name, effect === DECLARED || all.get(name) === DECLARED ? DECLARED : `${all.get(name) ?? ""}${effect}`);
  return all;
}

/** Kept with the statement: those that come with an edit are gone with the next. */
const effectsOfPart = keptWith((part: DeclarationPart): Effects => {
  const { declared, changes, aliases } = part;
  const effects = new Map<string, string>();
  const names = declaredNames([part]);
  const isInner = (name: string, offset: number): boolean =>
    (find(declared.get(name), offset)?.start ?? FILE_SCOPE.start) !== FILE_SCOPE.start;
  for (const [name, list] of declared) if (list.some(({ start }) => start === FILE_SCOPE.start)) effects.set(name, DECLARED);
  for (const map of [changes, aliases])
    for (const name of map.keys()) {
      if (effects.has(name)) continue;
      const many = (aliases.get(name)?.length ?? 0) + (changes.get(name)?.length ?? 0);
      if (many > MOST_LOOKS) {
        effects.set(name, DECLARED);
        continue;
      }
      const done = names.changesOf(name).map((change) => [change.kind, change.path, "property" in change ? change.property : ""]);
      // Under names that others see it may be changed by them.
      const known = (aliases.get(name) ?? [])
        .filter((alias) => !isInner(name, alias.offset) && !isInner(alias.name, alias.offset))
        .map((alias) => [alias.name, alias.path, alias.inside]);
      if (done.length + known.length > 0) effects.set(name, JSON.stringify([done, known]));
    }
  return effects;
});
