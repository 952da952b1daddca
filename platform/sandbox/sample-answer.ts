// An answer that has what the pack's code reads of it: where the code gives a part on as it is, that part is what the result's schema
// and examples say; the rest is made up.

import { isRecord } from "../../protocol/is-record.ts";
import type { AnswerShape } from "../../protocol/run.ts";
import { sampleText } from "./sample-value.ts";

/** `sample` is what the result holds at this place, as far as that is known; `name` is the field's. */
export function sampleAnswer(shape: AnswerShape, sample: unknown, name: string): unknown {
  const { fields, items, value, whole } = shape;
  // Of what only has to be there, what is known is better.
  if (value !== undefined && !(value === true && sample)) return value;
  if (items !== undefined) {
    const samples = Array.isArray(sample) ? sample : [sample];
    const item: AnswerShape = whole === true ? { ...items, whole } : items;
    return (item.whole === true ? samples : samples.slice(0, 1)).map((each) => sampleAnswer(item, each, name));
  }
  if (fields !== undefined) {
    const own = Object.entries(fields).filter(([, field]) => field.absent !== true);
    return {
      ...(whole === true && isRecord(sample) ? sample : {}),
      ...Object.fromEntries(own.map(([key, field]) => [key, sampleAnswer(field, sampleOf(sample, field, key), key)])),
    };
  }
  // A text of which nothing is known is called by the field that it stands in.
  return sample === undefined || sample === sampleText("") ? sampleText(name) : sample;
}

function sampleOf(sample: unknown, { fields, items, whole, becomes }: AnswerShape, key: string): unknown {
  const member = [becomes, key].find((each) => each !== undefined && isRecord(sample) && Object.hasOwn(sample, each));
  if (member !== undefined) return (sample as Record<string, unknown>)[member];
  // The result itself may be what stands deeper in.
  return fields !== undefined || items !== undefined || whole === true ? sample : undefined;
}
