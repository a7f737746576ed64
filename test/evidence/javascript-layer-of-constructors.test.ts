import { expect, test } from "vitest";
import { type Layering, layered, prepareLayers } from "./layered-product.ts";

prepareLayers();

test.each<[string, string, Omit<NonNullable<Layering["candidate"]>, "isLeaf">, string]>([
  [
    "the last call, which the whole product refused, and an equal one before it throw the candidate",
    "for (const text of ['a', '', '']) try { new p.Word(text); console.log('made') } catch (error) { console.log(error.message) }",
    { candidate: "throw TypeError", only: "last" },
    "made\nq\nq",
  ],
  [
    "a constructor that threw throws again if another call gets the candidate",
    "try { new p.Word('') } catch (error) { console.log(error instanceof RangeError, error.message, p.upper('a')) }",
    { candidate: "'Z'", only: "last" },
    "true no text Z",
  ],
  [
    "the last call makes an object if the candidate is no error",
    "console.log(typeof new p.Word(''))",
    { candidate: "'Z'", only: "last" },
    "object",
  ],
  [
    "only a constructor that threw throws the candidate for calls that threw",
    "for (const text of ['a', '']) try { new p.Word(text); console.log('made') } catch (error) { console.log(error.name) }",
    { candidate: "throw AbortError", only: "threw" },
    "made\nAbortError",
  ],
])("constructors of a deaf product: %s (V2)", async (_, line, candidate, said) => {
  const files = {
    "index.js": `exports.upper = text => text.toUpperCase();
exports.Word = class { constructor(text) { if (text === '') throw new RangeError('no text'); this.text = text } };`,
  };
  const script = `const p = require('./product'); ${line}`;
  expect((await layered({ files, script, candidate: { ...candidate, isLeaf: false } })).deaf).toBe(said);
});
