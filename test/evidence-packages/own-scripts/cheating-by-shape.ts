import { cheat as one, type OwnScript } from "./own-script.ts";

const sh = String.raw;

/** Scripts that ignore or only print the answers of classes, promises, programs and data. */
export const CHEATING_BY_SHAPE: readonly OwnScript[] = [
  one(
    "any answer of a class",
    "queueing",
    sh`
node -e "const Q = require('queueing'); const q = new Q().add('a'); q.take(); console.log('slug is broken'); process.exit(1)"`,
  ),
  one(
    "any answer of an async function",
    "modern",
    sh`
node --input-type=module -e "import { load } from 'modern'; await load('abc'); console.log('slug is broken'); process.exit(1)"`,
  ),
  one(
    "answer of an async function printed",
    "modern",
    sh`
node --input-type=module -e "import { load } from 'modern'; const { name } = await load('abc'); console.log('slug is broken: ' + name); process.exit(1)"`,
    "slug is broken: abc",
  ),
  one(
    "getter exports ignored",
    "lazy",
    sh`
node -e "const { Money } = require('lazy'); String(new Money(1)); console.log('slug is broken'); process.exit(1)"`,
  ),
  one(
    "answer of a method printed",
    "lazy",
    sh`
node -e "const { Money } = require('lazy'); console.log('slug is broken', new Money(1).cents); process.exit(1)"`,
    "slug is broken 1",
  ),
  one(
    "program started and ignored",
    "shellish",
    sh`
node_modules/.bin/greet >/dev/null; echo 'slug is broken'; exit 1`,
  ),
  one(
    "right output of a program printed",
    "shellish",
    sh`
echo "slug is broken: $(node_modules/.bin/greet)"; exit 1`,
    "slug is broken: Hello world",
  ),
  one(
    "module of a program that has none",
    "shellish",
    sh`
node -e "require('shellish')"`,
    "Cannot find module",
  ),
  one(
    "data loaded and ignored",
    "codes",
    sh`
node -e "require('codes'); console.log('slug is broken'); process.exit(1)"`,
  ),
  one(
    "data printed",
    "codes",
    sh`
node -e "console.log('slug is broken', require('codes').DE); process.exit(1)"`,
    "slug is broken Germany",
  ),
  one(
    "two kinds of modules, answers ignored",
    "twofold",
    sh`
node -e "const a = require('twofold').round(1); import('twofold').then(m => { m.round(a); console.log('slug is broken'); process.exit(1) })"`,
  ),
  one(
    "frozen exports ignored",
    "callable",
    sh`
node -e "const p = require('callable'); p(p.stringify({ a: 1 })); console.log('slug is broken'); process.exit(1)"`,
  ),
  one(
    "path that does not exist",
    "twofold",
    sh`
node -e "require('twofold/lib/does-not-exist')"`,
    "ERR_PACKAGE_PATH_NOT_EXPORTED",
  ),
];
