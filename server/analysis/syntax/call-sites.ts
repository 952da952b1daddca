// The calls of functions by their name. They are found in the text of the file on demand, since few functions need them.
import type { CallSite } from "../model/facts.ts";
import { ts } from "../typescript.ts";
import { evaluate, evaluateAll } from "./evaluate.ts";
import { contextAt } from "./function-facts.ts";
import { calleeName, isAccess, isShortCircuit, outermost } from "./nodes.ts";
import { nodesAt } from "./tree-search.ts";

/** Returns the calls of the name, and of methods that have it, without those whose arguments a spread hides. */
export function callSites(name: string, file: string, tree: ts.SourceFile): readonly CallSite[] {
  const pattern = new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`, "g");
  // The places are those of the current text.
  const context = contextAt({ file, start: 0, end: 0 }, tree);
  return nodesAt(tree, tree, pattern).flatMap((node): CallSite[] => {
    const callee = outermost(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.parent : node);
    const passes =
      isAccess(callee.parent) && ts.isCallExpression(callee.parent.parent) && calleeName(callee.parent.parent)?.text === "call";
    const call = passes ? callee.parent.parent : callee.parent;
    if (!(ts.isCallExpression(call) || ts.isNewExpression(call)) || !(passes || call.expression === callee)) return [];
    const args = call.arguments?.slice(passes ? 1 : 0) ?? [];
    if (args.some(ts.isSpreadElement)) return [];
    const around = ts.findAncestor(call.parent, ts.isFunctionLike);
    const branch = ts.findAncestor(call.parent, (one) => (one === around ? "quit" : isBranch(one)));
    return [
      {
        place: context.places.of(call),
        nameSpan: context.places.of(node),
        callee: evaluate(callee as ts.Expression, context),
        arguments: evaluateAll(args, context),
        within: around && context.places.whole(around),
        conditional: branch !== undefined,
      },
    ];
  });
}

const isBranch = (node: ts.Node): boolean =>
  ts.isIfStatement(node) ||
  ts.isConditionalExpression(node) ||
  ts.isIterationStatement(node, false) ||
  ts.isCaseBlock(node) ||
  ts.isCatchClause(node) ||
  (ts.isBinaryExpression(node) && isShortCircuit(node));
