import { deserialize, serialize } from "node:v8";
import {
  byOf,
  candidateText,
  candidateValue,
  isFirst,
  isLast,
  isLeaf,
  isOfSome,
  isOfUnexpectedType,
  isOfValues,
  isThrown,
  only,
  throwsAt,
} from "./candidate.ts";
import { changedShape } from "./changed-shape.ts";
import { candidate } from "./config.ts";
import { given, isObject, propertyOf } from "./known-objects.ts";
import { repeatChanges } from "./effects-on-arguments.ts";
import { changedBy, note, remember } from "./memory.ts";
import { fillArgument, withFields, withParts } from "./parts.ts";
import { ofArguments } from "./of-arguments.ts";
import { callBack, idle } from "./runs-of-given.ts";
import { datumBesideOr, expectedBeside, isNamed } from "./script-data.ts";
import { isWhole, type Shape, thrownBy } from "./shape.ts";
import { usualAnswer } from "./usual-answer.ts";
import { keptAnswer, type Leaf, other, same } from "./values.ts";

/** Answers a call instead of the product. `origin` makes the answer if the script's text has no datum beside the arguments. */
export function answer(
  key: string,
  last: string,
  args: readonly unknown[],
  self?: object,
  origin?: Leaf,
): unknown {
  const calls = remember();
  const by = byOf(key, args);
  const shape = calls.get([by, key, last].find((one) => calls.has(one)) ?? last);
  const changed = changedBy.get(by);
  note(key, last, shape, changed === undefined ? { by } : { by, changed });
  callBack(key, args);
  if (changed !== undefined && only === "effects") repeatChanges(changed, args);
  if (shape?.t === "self" && self !== undefined && !throwsAt(by)) return self;
  const pending = shape?.t === "promise" ? idle() : null;
  if (pending !== null) return pending.then(() => answerOf(shape, args, by, origin));
  return answerOf(shape, args, by, origin);
}

/** The function that a factory returns if every function of the product makes its answer from its arguments. */
function givesBack(...args: unknown[]): unknown {
  callBack("inert", args);
  return candidateValue(args);
}
given.add(givesBack);

export function answerOf(
  shape: Shape | undefined,
  args: readonly unknown[],
  by: string | undefined,
  origin?: Leaf,
): unknown {
  if (!isOfValues) return other(shape);
  if (ofArguments.has(candidateText) && shape?.t === "function") return givesBack;
  if (isOfSome) return answerOfSome(shape, args, by, origin);
  const make = (): unknown => candidateValue(args);
  // The call itself is a factory and succeeds; the functions in its answer throw.
  if (isLeaf && isThrown) return other(shape, (inner) => (inner === undefined ? make() : same(inner)));
  if (isLeaf) return other(shape, Object.assign(make, { isOpen: candidate?.isWanted === true }));
  if (isOfUnexpectedType(shape, args)) return other(shape);
  if (shape?.t !== "promise") return make();
  try {
    return Promise.resolve(make());
  } catch (error) {
    return Promise.reject(error);
  }
}

function answerOfSome(
  shape: Shape | undefined,
  args: readonly unknown[],
  by: string | undefined,
  origin: Leaf | undefined,
): unknown {
  if (shape?.t === "promise") return inTurn().then(() => answerOfSome(shape.v, args, by, origin));
  switch (only) {
    case "fields":
      return withFields(shape, by === undefined || remember().has(by));
    case "turns":
    case "given":
    case "effects":
    case "records":
      return keptAnswer(shape);
    case "changed":
      return withPropertiesOf(args[0], keptAnswer(shape && changedShape(shape)));
    case "threw":
      return thrownBy(shape) === null ? keptAnswer(shape) : candidateValue(args);
    case "back":
      return answerOfWayBack(shape, args);
    case "booleans":
      return thrownBy(shape) === null && shape
        ? other(shape, (inner) => (inner?.t === "boolean" ? booleanAt(by, inner) : same(inner)))
        : keptAnswer(shape);
    case "said":
      return thrownBy(shape) === null && shape ? other(shape, expectedBeside) : keptAnswer(shape);
    case "inside":
    case "innermost":
    case "sized":
      return withParts(shape);
    case "argument":
      return fillArgument(args[0]) && thrownBy(shape) !== null ? undefined : keptAnswer(shape);
    case "each":
      return answerInTurn(shape);
    case "beside":
      return answerBeside(shape, args, origin);
    default:
      return answerOfOne(shape, args, by);
  }
}

/** With the candidate `properties`, gives a function that the product made the properties of the function that it was given. */
function withPropertiesOf(given: unknown, made: unknown): unknown {
  if (candidateText !== "properties" || typeof given !== "function" || typeof made !== "function")
    return made;
  for (const key of Object.keys(given)) {
    const value: unknown = propertyOf(given, key)?.value;
    Reflect.defineProperty(made, key, { value, enumerable: true, writable: true, configurable: true });
    // The function is a proxy with properties of its own.
    Reflect.set(made, key, value);
  }
  return made;
}

let answeredCalls = 0;

/** Returns the next element of the candidate: a script may collect the answers of its calls in a list. */
function answerInTurn(shape: Shape | undefined): unknown {
  const all = candidateValue([]);
  const index = answeredCalls;
  answeredCalls += 1;
  return Array.isArray(all) && index < all.length ? (all as readonly unknown[])[index] : keptAnswer(shape);
}

function booleanAt(by: string | undefined, shape: Extract<Shape, { t: "boolean" }>): unknown {
  return candidateText === "usual" ? usualAnswer(by, shape.v) : candidateValue([]);
}

function answerBeside(shape: Shape | undefined, args: readonly unknown[], origin: Leaf | undefined): unknown {
  const make = (inner?: Shape): unknown =>
    datumBesideOr(args, inner, () => (origin ? origin(inner) : keptAnswer(inner)));
  return isLeaf || shape?.t === "thing" || shape?.t === "function" ? other(shape, make) : make(shape);
}

/** The answer to the call before, and whether there was one: a script may expect the very same object again. */
let earlier: { answer: unknown } | undefined;

function answerOfOne(shape: Shape | undefined, args: readonly unknown[], by: string | undefined): unknown {
  if (shape && !isWhole(shape)) return keptAnswer(shape);
  if (isLeaf) return leavesUnnamed(shape, args);
  if (only === "unnamed" ? isNamed(shape) : isAnother(by)) {
    const kept = keptAnswer(shape);
    earlier = { answer: kept };
    return kept;
  }
  if (candidateText === "earlier") return earlier === undefined ? keptAnswer(shape) : earlier.answer;
  return candidateText === "other" ? other(shape) : candidateValue(args);
}

/** Returns the answer with the candidate instead of each text in it that is not in the script's text. */
function leavesUnnamed(shape: Shape | undefined, args: readonly unknown[]): unknown {
  if (shape === undefined || thrownBy(shape) !== null) return keptAnswer(shape);
  return other(shape, (inner) =>
    inner?.t === "string" && !isNamed(inner) ? candidateValue(args) : same(inner),
  );
}

/**
 * Returns whether another call gets the candidate. A call that the whole product did not receive gets it as well, because it may
 * ask about an earlier answer that was changed.
 */
function isAnother(by: string | undefined): boolean {
  if (only === "first") return !isFirst(by);
  return !isLast(by) && by !== undefined && remember().has(by);
}

/** The first argument of the call that returned an answer, by that answer. */
const origins = new Map<unknown, unknown>();

/**
 * Answers a call of a script about a round trip: if its argument is the answer of an earlier call, returns the argument of that
 * call.
 */
function answerOfWayBack(shape: Shape | undefined, args: readonly unknown[]): unknown {
  if (origins.has(args[0]))
    try {
      return deserialize(serialize(origins.get(args[0])));
    } catch {}
  const made = keptAnswer(shape);
  const isTold = typeof made === "string" ? made !== "" : isObject(made);
  if (isTold && args.length > 0) origins.set(made, args[0]);
  return made;
}

let turns = 0;

/**
 * Resolves later for each further call, so that the product's promises are fulfilled one after the other. The order alone satisfies
 * a script about a race.
 */
function inTurn(): Promise<void> {
  if (only !== "turns") return Promise.resolve();
  turns += 1;
  const delayMs = 50 * turns;
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
}
