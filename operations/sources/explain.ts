// Explains a rule of the check, or the diagnosis of a failure.
import { z } from "zod";
import { closest } from "../../base/closest.ts";
import { DIAGNOSES } from "../../platform/diagnosis/order.ts";
import { diagnosisPage } from "../../platform/diagnosis/page.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { input } from "../inputs.ts";
import { operation } from "../operation.ts";

export const explain = operation({
  about: `Explains a rule or a diagnosis: what it finds, why, and what to do, with examples. A rule flags the source; a diagnosis explains a
sign-in or a run that failed. Without a name it lists all of them.`,
  input: z.strictObject({
    id: input(z.string().optional(), "The name of a rule or of a diagnosis, such as oauth2-missing-token-url.", { place: "word" }),
  }),
  missing: {},
  /** Returns one page as Markdown, or all rules, and then all diagnoses by name. The kind is the severity of a rule, or “failure”. */
  async run({ id }, { sourcesOf }) {
    const rules = await sourcesOf().rules();
    const diagnoses = DIAGNOSES.toSorted((one, other) => one.id.localeCompare(other.id));
    const pages = [
      ...rules.map(({ severity, ...rule }) => ({ ...rule, kind: severity })),
      ...diagnoses.map((diagnosis) => ({ id: diagnosis.id, kind: "failure", page: diagnosisPage(diagnosis) })),
    ];
    if (id === undefined) return { all: pages.map(({ page, ...rest }) => ({ ...rest, summary: summaryOf(page) })) };
    const page = pages.find((candidate) => candidate.id === id)?.page;
    if (page !== undefined) return { page };
    const near = closest(
      id,
      pages.map((candidate) => candidate.id),
    );
    throw new PackAuthError("invalid-parameter", `There is no rule or diagnosis ${id}.`, {
      hint: `${near === undefined ? "" : `Did you mean ${near}? `}Without a name, explain lists all of them.`,
    });
  },
});

/** Returns the first sentence of a page. */
const summaryOf = (page: string): string => /^(?!#|Severity: ).+?(?:[.!?](?=\s)|$)/m.exec(page)?.[0].replaceAll("`", "") ?? "";
