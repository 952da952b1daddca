// The form of an operation: what an author can ask for exists once here, and the command line, agents and the editor are its shells.
import type { z } from "zod";
import type { Observer } from "./observer.ts";
import type { Person } from "./person.ts";
import type { World } from "./world.ts";

/** The hosts of operations. */
export type HostName = "terminal" | "agents" | "editor";

/** Why a host does not offer an input, by host and name of the input. */
type MissingInputs<Name extends string> = Readonly<Partial<Record<HostName, Readonly<Partial<Record<Name, string>>>>>>;

/** `Part` is what an observer hears while the operation is under way. */
export interface Operation<Input extends z.ZodObject, Output, Part> {
  /** What the operation does, for a person and for a language model. */
  readonly about: string;
  /** The fields become options and words of the command line, arguments of a tool, and fields of a form. */
  readonly input: Input;
  readonly missing: MissingInputs<keyof z.output<Input> & string>;
  /** Throws PackAuthError. After an abort of the world's signal, the result has no reader. */
  run(input: z.output<Input>, world: World, person: Person, observer: Observer<Part>): Promise<Output>;
}

/** Infers the types of an operation. */
export const operation = <Input extends z.ZodObject, Output, Part = never>(
  record: Operation<Input, Output, Part>,
): Operation<Input, Output, Part> => record;
