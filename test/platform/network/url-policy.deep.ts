// The random tests of url-policy.test.ts with all of their inputs, which the deep tests ask for.
import "./url-policy.test.ts";
