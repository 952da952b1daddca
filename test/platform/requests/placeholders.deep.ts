// The random tests of placeholders.test.ts with all of their inputs, which the deep tests ask for.
import "./placeholders.test.ts";
