// Builds a response with the fields that the pack's code reads. A part that the code returns unchanged comes from the result's schema and
// examples. The rest is invented.

import { isRecord } from "../../base/is-record.ts";
import type { ResponseShape } from "../../protocol/run.ts";
import { sampleText } from "./sample-value.ts";

/** Returns the sample response. `sample` is the known result at this place, and `name` is the name of the field. */
export function sampleResponse(shape: ResponseShape, sample: unknown, name: string): unknown {
  const { fields, items, type, value, whole } = shape;
  // If the code only tests whether the value is present, a known value is better.
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
  // A string of which nothing is known contains the name of its field.
  if (sample === undefined || sample === sampleText("") || (type === "string" && typeof sample === "object")) return sampleText(name);
  return type === "string" ? String(sample) : sample;
}

const isDate = (value: unknown): boolean => typeof value === "number" || (typeof value === "string" && !Number.isNaN(Date.parse(value)));

const isLookedInto = ({ fields, items, whole }: ResponseShape): boolean => fields !== undefined || items !== undefined || whole === true;

function sampleOf(sample: unknown, shape: ResponseShape, key: string): unknown {
  const member = [shape.becomes, key].find((each) => each !== undefined && isRecord(sample) && Object.hasOwn(sample, each));
  const memberValue = member === undefined ? undefined : (sample as Record<string, unknown>)[member];
  // The result itself may come from a nested value, or the code may build it from several.
  if (shape.fields !== undefined && !isRecord(memberValue) && !Array.isArray(memberValue)) return sample;
  if (member !== undefined) return memberValue;
  return isLookedInto(shape) ? sample : undefined;
}
