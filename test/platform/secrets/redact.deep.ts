// The random tests of redact.test.ts with all of their inputs, which the deep tests ask for.
import "./redact.test.ts";
