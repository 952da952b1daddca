// What a statement of the top level says of names: which it declares, in which scopes, and what it does to them.

import type { Declaration } from "../../model/facts.ts";
import type { Mutation } from "../../model/mutations.ts";
import type { Place, Value } from "../../model/values.ts";
import type { Alias } from "./alias-mutations.ts";

/** The scope of what is declared at a file's top level: all of it, however long the file becomes. */
export const FILE_SCOPE: Place = Object.freeze({ file: "", start: -1, end: 2 ** 30 });

/** An offset at which the names of the top level alone are seen. */
export const TOP_LEVEL = FILE_SCOPE.start;

/** What one statement of the top level declares and changes, inside it and in the file's scope. */
export interface DeclarationPart {
  readonly declared: Lists<Declaration>;
  readonly changes: Lists<Mutation>;
  /** By the name that they lead into. */
  readonly aliases: Lists<Alias>;
  /** Functions and classes, from the first to the last: code in them runs at another time than the code around them. */
  readonly functions: readonly Place[];
}

export type Lists<T> = ReadonlyMap<string, readonly T[]>;

/** Most statements declare little and change nothing: what is not there is shared, and takes no place. */
const NONE: ReadonlyMap<string, never> = new Map<string, never>();
const NO_FUNCTIONS: readonly Place[] = Object.freeze([]);

export class Declarations implements DeclarationPart {
  declare declared: DeclarationPart["declared"];
  declare changes: DeclarationPart["changes"];
  declare aliases: DeclarationPart["aliases"];
  declare functions: DeclarationPart["functions"];

  constructor() {
    this.declared = NONE;
    this.changes = NONE;
    this.aliases = NONE;
    this.functions = NO_FUNCTIONS;
  }

  /** Undefined value: what it stands for is not known. */
  declare(name: string, scope: Place, value: Value | undefined): void {
    this.declared = withItem(this.declared, name, { scope, value });
  }

  change(change: Mutation): void {
    this.changes = withItem(this.changes, change.name, change);
  }

  alias(of: string, alias: Alias): void {
    this.aliases = withItem(this.aliases, of, alias);
  }

  enterFunction(place: Place): void {
    if (this.functions === NO_FUNCTIONS) this.functions = [];
    (this.functions as Place[]).push(place);
  }
}

/** The lists themselves, unless they are the shared ones. */
function withItem<T>(lists: Lists<T>, name: string, item: T): Lists<T> {
  if (lists === NONE) return new Map<string, T[]>().set(name, [item]);
  const list = lists.get(name) as T[] | undefined;
  if (list === undefined) (lists as Map<string, T[]>).set(name, [item]);
  else list.push(item);
  return lists;
}

/** The name that stands for what functions of a name return: `config()`. Two functions of one name count as one. */
export const returnName = (name: string | undefined): string => `${name}()`;

export const isReturnName = (name: string): boolean => name.endsWith("()");
