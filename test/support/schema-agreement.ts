// Tests whether a file's schema, which an editor reads, and the file's reader accept the same files. The test makes mistakes in correct
// files, and Ajv validates them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import fc from "fast-check";
import { isRecord } from "../../base/is-record.ts";
import { root } from "./packs.ts";

const ODD = [null, true, 0, 1, -1, 1.5, 200, 1e9, "", "x", "a b", "https://a.example", "http://a.example", [], ["x"], {}, { other: 1 }];

/** Replaces or removes one value, or adds one. */
function mistake(value: unknown, steps: readonly number[], odd: unknown, name: string): unknown {
  const [step = 0, ...rest] = steps;
  if (Array.isArray(value) && value.length > 0 && step % 7 !== 0)
    return value.with(step % value.length, mistake(value[step % value.length], rest, odd, name));
  if (!isRecord(value) || step % 7 === 0) return odd;
  const keys = Object.keys(value);
  const key = keys[step % (keys.length + 1)];
  if (key === undefined) return { ...value, [name]: odd };
  const { [key]: inner, ...otherMembers } = value;
  return step % 5 === 0 ? otherMembers : { ...value, [key]: mistake(inner, rest, odd, name) };
}

/** Throws an error with the file if only one side accepts it. Files that are not the product's are skipped. */
export function schemaAgrees(
  schema: string,
  right: readonly object[],
  read: (text: string) => unknown,
  isOurs: (file: unknown) => boolean = () => true,
): void {
  const parsedSchema = JSON.parse(readFileSync(join(root, "schemas", schema), "utf8"));
  const judge = new Ajv({ strict: false }).compile(parsedSchema);
  const names = [...new Set([...JSON.stringify(parsedSchema).matchAll(/"(\w+)":\{/g)].map(([, name = ""]) => name)), "other"];
  const isRead = (text: string): boolean => {
    try {
      read(text);
      return true;
    } catch {
      return false;
    }
  };
  const isAlike = fc.property(
    fc.constantFrom(...right),
    fc.array(fc.nat(), { maxLength: 8 }),
    fc.constantFrom(...ODD),
    fc.constantFrom(...names),
    (base, steps, odd, name) => {
      const file = steps.length === 0 ? base : mistake(base, steps, odd, name);
      if (!isOurs(file)) return;
      const isAccepted = judge(file);
      if (isRead(JSON.stringify(file)) !== isAccepted)
        throw new Error(`${isAccepted ? "only the schema takes" : "the schema alone rejects"} ${JSON.stringify(file)}`);
    },
  );
  fc.assert(isAlike, { numRuns: 2_000 });
}
