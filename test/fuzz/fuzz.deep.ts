// The random tests of fuzz.test.ts with all of their inputs, which the deep tests ask for.
import "./fuzz.test.ts";
