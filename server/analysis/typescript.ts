// The one door to ts-morph: the TypeScript that it brings along is the analysis' only parser.
export { ts } from "ts-morph";
