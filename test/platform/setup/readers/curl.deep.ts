// The random tests of curl.test.ts with all of their inputs.
import "./curl.test.ts";
