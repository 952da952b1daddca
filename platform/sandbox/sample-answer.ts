// An answer that has what the pack's code reads of it: where the code gives a part on as it is, that part is what the result's schema
// and examples say; the rest is made up.

import { isRecord } from "../../base/is-record.ts";
import type { ResponseShape } from "../../protocol/run.ts";
import { sampleText } from "./sample-value.ts";

/** `sample` is what the result holds at this place, as far as that is known; `name` is the field's. */
export function sampleResponse(shape: ResponseShape, sample: unknown, name: string): unknown {
  const { fields, items, type, value, whole } = shape;
  // Of what only has to be there, what is known is better.
  if (value !== undefined && !(value === true && sample)) return value;
  if (items !== undefined) {
    const samples = Array.isArray(sample) ? sample : [sample];
    const item: ResponseShape = whole === true ? { ...items, whole } : items;
    const own = isLookedInto(item) || item.becomes !== undefined ? samples : samples.map((each) => (isRecord(each) ? undefined : each));
    return (item.whole === true ? own : own.slice(0, 1)).map((each) => sampleResponse(item, each, name));
  }
  if (fields !== undefined) {
    const own = Object.entries(fields).filter(([, field]) => field.absent !== true);
    return {
      ...(whole === true && isRecord(sample) ? sample : {}),
      ...Object.fromEntries(own.map(([key, field]) => [key, sampleResponse(field, sampleOf(sample, field, key), key)])),
    };
  }
  if (type === "number") return typeof sample === "number" ? sample : sampleText(name) === null ? null : 1;
  if (type === "date" && !isDate(sample)) return "2026-01-31T09:30:00Z";
  // A text of which nothing is known is called by the field that it stands in.
  if (sample === undefined || sample === sampleText("") || (type === "string" && typeof sample === "object")) return sampleText(name);
  return type === "string" ? String(sample) : sample;
}

const isDate = (value: unknown): boolean => typeof value === "number" || (typeof value === "string" && !Number.isNaN(Date.parse(value)));

const isLookedInto = ({ fields, items, whole }: ResponseShape): boolean => fields !== undefined || items !== undefined || whole === true;

function sampleOf(sample: unknown, shape: ResponseShape, key: string): unknown {
  const member = [shape.becomes, key].find((each) => each !== undefined && isRecord(sample) && Object.hasOwn(sample, each));
  const memberValue = member === undefined ? undefined : (sample as Record<string, unknown>)[member];
  // The result itself may be what stands deeper in, or what the code puts together from there.
  if (shape.fields !== undefined && !isRecord(memberValue) && !Array.isArray(memberValue)) return sample;
  if (member !== undefined) return memberValue;
  return isLookedInto(shape) ? sample : undefined;
}
