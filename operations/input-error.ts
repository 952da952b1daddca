// An error about one of an operation's inputs. A host may name the input as a caller writes it. The `field` of other errors may be a
// parameter of the pack, which can have the name of an input.
import { PackAuthError } from "../platform/errors.ts";

export class InputError extends PackAuthError {
  readonly input: string;

  constructor(input: string, message: string, hint?: string) {
    super("invalid-parameter", message, { field: input, hint });
    this.input = input;
  }
}
