"use strict";
// Runs inside the place, on a copy of the checkout: gives the product's JavaScript a second layer that either passes
// everything on (renumbered) or answers in its place (deaf). Both have the same text but for a random key and a block of one
// size that the key opens.
// afk-triage appends a call of `prepare` and hands the whole to node over standard input.
const fs = require("node:fs");
const crypto = require("node:crypto");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

/** The layer itself; its text is written beside the product. It must run on every Node that the product runs on. */
function layer(token, sealed) {
  const fs = require("fs");
  const crypto = require("crypto");
  const path = require("path");
  const MAX_ANSWERS = 2000;
  const opened = crypto.createDecipheriv("aes-128-ctr", Buffer.from(token, "hex"), Buffer.alloc(16));
  const config = JSON.parse(opened.update(Buffer.from(sealed, "base64")).toString());
  const { isDeaf, isListening, candidate, listens } = config;
  const own = new Set(config.files.map((file) => config.root + "/" + file));
  const raw = new WeakMap();
  const layered = new WeakMap();
  const heard = new WeakSet();
  const ordinals = new Map();
  /** A name for each call of one function. */
  const next = (name) => {
    const n = (ordinals.get(name) || 0) + 1;
    ordinals.set(name, n);
    return name + "#" + n;
  };
  let said = 0;
  let memory = null;
  /** The last and the first call that the whole product answered, with their arguments. */
  let lastCall = null;
  let firstCall = null;

  /**
   * The file of the code that called through the layer, past the run time's own; null: none but the run time's (a timer, an
   * event). `isNearest`: the run time's own count.
   */
  function callerFile(isNearest) {
    const { prepareStackTrace, stackTraceLimit } = Error;
    Error.prepareStackTrace = (_, sites) => sites;
    Error.stackTraceLimit = 12;
    const sites = new Error().stack;
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
    if (!Array.isArray(sites)) return null;
    for (const site of sites) {
      const name = site.getFileName && site.getFileName();
      if (!name || name === __filename || (name.startsWith("node:") && !isNearest)) continue;
      return name.startsWith("file://") ? require("url").fileURLToPath(name) : name;
    }
    return null;
  }

  /** Whether the code that called through the layer belongs to the product: to itself a product is never deaf. */
  function calledByProduct() {
    const name = callerFile();
    return name !== null && own.has(name);
  }

  /** Whether a method of the run time calls another method of the same object, in a call that was noted. */
  const isInner = () => inside.length > 0 && (callerFile(true) || "").startsWith("node:");

  /** Whether the code that called is the script's, not the product's, a module's or the run time's. */
  function calledByScript() {
    const name = callerFile();
    return name !== null && !own.has(name) && !/[\\/]node_modules[\\/]/.test(name);
  }

  function remember() {
    if (memory !== null) return memory;
    memory = new Map();
    for (const line of config.remembered.split("\n"))
      try {
        const one = JSON.parse(line);
        if (one.key !== undefined && !memory.has(one.key)) memory.set(one.key, one.shape);
        if (one.last !== undefined) memory.set(one.last, one.shape);
        if (one.by !== undefined) memory.set(one.by, one.shape);
        if (one.by !== undefined && isValue(one.shape)) {
          lastCall = one.by;
          firstCall = firstCall || one.by;
        }
        if (one.runs !== undefined) due.push(one);
        if (one.threw !== undefined) throwing.add(one.threw);
      } catch {}
    return memory;
  }

  /** In both controls, so that the file of answers looks the same in both. */
  function note(key, last, shape, more) {
    if (said++ >= MAX_ANSWERS) return;
    try {
      fs.appendFileSync(config.answers, JSON.stringify({ key, last, shape, ...more }) + "\n");
    } catch {}
  }

  /** Only where nothing is judged by the run: what the product was called with, before it answers. */
  function hear(key, last, args) {
    if (!listens || said++ >= MAX_ANSWERS) return;
    try {
      fs.appendFileSync(config.answers, JSON.stringify({ asked: key, last, args: args.slice(0, 10).map((one) => shapeOf(one, 0)) }) + "\n");
    } catch {}
  }

  function shapeOf(value, depth) {
    if (value === null) return { t: "null" };
    switch (typeof value) {
      case "undefined":
        return { t: "undefined" };
      case "boolean":
        return { t: "boolean", v: value };
      case "number":
        return Number.isFinite(value) ? { t: "number", v: value } : { t: "number", v: 0, x: String(value) };
      case "bigint":
        return { t: "bigint", v: String(value).slice(0, 200) };
      case "string":
        return { t: "string", v: value.slice(0, 4000) };
      case "symbol":
        return { t: "symbol" };
      case "function":
        return { t: "function" };
    }
    try {
      if (Array.isArray(value))
        return { t: "array", v: depth > 4 ? [] : Array.from(value.slice(0, 40), (one) => shapeOf(one, depth + 1)) };
      if (value instanceof Map || value instanceof Set)
        return { t: value instanceof Map ? "map" : "set", v: value.size };
      if (value instanceof Date) return { t: "date", v: Number(value) || 0 };
      if (value instanceof RegExp) return { t: "regexp" };
      if (value instanceof Error) return { t: "error", v: String(value.message).slice(0, 1000), n: value.name };
      if (ArrayBuffer.isView(value)) return { t: "bytes", v: Math.min(value.byteLength, 4096) };
      if (typeof value.then === "function") return { t: "promise", v: { t: "undefined" } };
      if ((typeof value[Symbol.asyncIterator] === "function" && typeof value.on !== "function") || (typeof value[Symbol.iterator] === "function" && typeof value.next === "function"))
        return { t: "iterator", isAsync: typeof value[Symbol.asyncIterator] === "function" };
      const proto = Object.getPrototypeOf(value);
      const v = {};
      if (depth <= 4)
        for (const key of Object.keys(value).slice(0, 40)) v[key] = shapeOf(value[key], depth + 1);
      const isThing = proto !== null && proto !== Object.prototype && (Object.getPrototypeOf(proto) !== null || Object.getOwnPropertyNames(proto).length > 1);
      if (!isThing) return { t: "object", v, bare: proto === null };
      return { t: "thing", v, methods: methodsOf(proto), n: classNames.get(proto) };
    } catch {
      return { t: "thing" };
    }
  }

  /** Names of methods of a class and what it extends; true: it answers with a promise. */
  function methodsOf(proto) {
    const methods = {};
    for (let one = proto; one && Object.getPrototypeOf(one) !== null; one = Object.getPrototypeOf(one))
      for (const key of Object.getOwnPropertyNames(one).slice(0, 300)) {
        const { value } = Object.getOwnPropertyDescriptor(one, key);
        if (typeof value === "function" && key !== "constructor" && !(key in methods))
          methods[key] = value.constructor.name === "AsyncFunction";
      }
    return methods;
  }

  const turned = (text) =>
    text === ""
      ? "q"
      : text.replace(/[a-z0-9]/gi, (c) => (c === "z" ? "b" : c === "Z" ? "B" : c === "9" ? "3" : String.fromCharCode(c.charCodeAt(0) + 1)));

  /** Another value of the same shape; `leaf` decides about the innermost ones. */
  function other(shape, leaf) {
    if (shape === undefined) return leaf ? leaf() : inert();
    switch (shape.t) {
      case "array":
        return shape.v.length === 0 ? (leaf ? [] : ["q"]) : shape.v.map((one) => other(one, leaf));
      case "object": {
        const made = shape.bare ? Object.create(null) : {};
        const keys = Object.keys(shape.v);
        for (const key of keys)
          Object.defineProperty(made, key, {
            value: other(shape.v[key], leaf), enumerable: true, writable: true, configurable: true,
          });
        if (keys.length === 0 && !leaf) made.q = "q";
        return leaf && leaf.isOpen ? open(made, leaf) : made;
      }
      case "map":
        return new Map(Array.from({ length: Math.min(shape.v + 1, 8) }, (_, i) => ["q" + i, "q"]));
      case "set":
        return new Set(Array.from({ length: Math.min(shape.v + 1, 8) }, (_, i) => "q" + i));
      case "promise":
        return Promise.resolve(other(shape.v, leaf));
      case "iterator":
        return iterator(shape.isAsync, leaf);
      case "thing":
        return likeThing(shape, leaf);
      case "function":
        return inert(false, leaf);
    }
    if (leaf) return leaf(shape);
    switch (shape.t) {
      case "null":
        return null;
      case "undefined":
        return undefined;
      case "boolean":
        return !shape.v;
      case "number":
        return shape.v + 1;
      case "bigint":
        return BigInt(shape.v) + BigInt(1);
      case "string":
        return turned(shape.v);
      case "symbol":
        return Symbol("q");
      case "date":
        return new Date(shape.v + 86_400_000);
      case "regexp":
        return /q/;
      case "error": {
        const error = new Error(turned(shape.v));
        error.name = shape.n;
        return error;
      }
      case "bytes":
        return Buffer.alloc(shape.v + 1, 113);
    }
    return inert();
  }

  /** What the product's answer lacks may be what the script asks for. */
  const open = (made, leaf) =>
    new Proxy(made, {
      get: (from, key, receiver) =>
        key in from || typeof key === "symbol" || key === "then" || key === "toJSON" ? Reflect.get(from, key, receiver) : leaf(),
    });

  /** Gives nothing, or one value. */
  function iterator(isAsync, leaf) {
    const values = leaf ? [leaf()] : [];
    return isAsync
      ? (async function* () {
          yield* values;
        })()
      : values[Symbol.iterator]();
  }

  /** An object with the methods and properties of another one; `n`: under which name its class was listened to. */
  function likeThing({ v, methods, n }, leaf) {
    const made = {};
    for (const key of Object.keys(v || {}))
      Object.defineProperty(made, key, { value: other(v[key], leaf), enumerable: true, writable: true, configurable: true });
    for (const key of Object.keys(methods || {})) {
      const silent = (...args) => {
        const method = n + "." + key;
        const call = next(method);
        const by = byOf(call, args);
        const known = remember().get(by) || remember().get(method);
        callBack(call, args);
        if (known && known.t === SELF.t) return made;
        if (isOfSome() && known) return answerOf(known, args, by, leaf);
        if (known && (known.t === "thing" || !leaf)) return other(known, leaf);
        const value = leaf ? leaf() : inert();
        return methods[key] ? Promise.resolve(value) : value;
      };
      Object.defineProperty(made, key, { value: replacedMethod(key) || silent, writable: true, configurable: true });
    }
    return made;
  }

  /** Takes every call and every property without an effect; `leaf`: what its calls give. */
  function inert(isObject, leaf) {
    const values = new Map();
    const target = isObject ? {} : function q() {};
    const proxy = new Proxy(target, {
      get(from, key) {
        if (values.has(key)) return values.get(key);
        if (key === "then" || key === "toJSON") return undefined;
        if (key === Symbol.toPrimitive) return (hint) => (hint === "number" ? 7 : "q");
        if (key === Symbol.iterator) return function* () {};
        if (typeof key === "symbol") return undefined;
        if (key === "prototype" && !isObject) return from.prototype;
        if (key === "length") return 1;
        if (key === "constructor") return Object;
        if (key === "toString" || key === "valueOf") return () => "q";
        values.set(key, inert(false, leaf));
        return values.get(key);
      },
      set(_, key, value) {
        values.set(key, value);
        return true;
      },
      has: (_, key) => values.has(key),
      apply: (_, self, args) => {
        callBack("inert", args);
        return leaf ? leaf() : inert();
      },
      construct: () => inert(true, leaf),
    });
    made.add(proxy);
    return proxy;
  }

  const isThrown = () => /^throw \w+$/.test(candidate.candidate);
  const throwsAt = (by) => isOfValues() && isThrown() && !candidate.isLeaf && (!isOfSome() || (candidate.only === "last" && isLast(by)));

  function errorOf(name, message) {
    const Kind = globalThis[name];
    return Object.assign(new (typeof Kind === "function" ? Kind : Error)(message), { name });
  }

  /** The value that a candidate stands for, made anew for each call. */
  function candidateValue(args) {
    if (candidate.candidate === "identity") return args[0];
    if (isThrown()) {
      throw errorOf(candidate.candidate.slice(6), candidate.text || "q");
    }
    try {
      return (0, eval)("(" + candidate.candidate + ")");
    } catch {
      return undefined;
    }
  }

  /** An answer of another type, which the script does not compare with: it would please by chance, as a falsy one does. */
  function isOddOne(shape, make) {
    if (candidate.isWanted === true || !shape || !["string", "number", "boolean", "array", "object"].includes(shape.t)) return false;
    const { t } = shapeOf(make(), 0);
    const isKindOfObject = ["array", "object"].includes(shape.t) && !["string", "number", "boolean", "null", "undefined"].includes(t);
    return t !== shape.t && (candidate.isWanted === false || !isKindOfObject);
  }

  function answer(key, last, args, self, origin) {
    const calls = remember();
    const by = byOf(key, args);
    const known = [by, key, last].find((one) => calls.has(one));
    const shape = calls.get(known);
    note(key, last, shape, { by });
    callBack(key, args);
    if (shape && shape.t === SELF.t && self !== undefined && !throwsAt(by)) return self;
    if (shape && shape.t === "promise" && pending.length > 0) {
      const inner = () => Promise.resolve(answerOf(shape, args, by, origin));
      return new Promise((resolve) => whenIdle.push(resolve)).then(inner);
    }
    return answerOf(shape, args, by, origin);
  }

  function answerOf(shape, args, by, origin) {
    if (!isOfValues()) return other(shape);
    if (isOfSome()) return answerOfSome(shape, args, by, origin);
    const make = () => candidateValue(args);
    // Functions of the answer throw: a factory has made it.
    if (candidate.isLeaf && isThrown()) return other(shape, (inner) => (inner === undefined ? make() : same(inner)));
    if (candidate.isLeaf) return other(shape, Object.assign(make, { isOpen: candidate.isWanted === true }));
    if (isOddOne(shape, make)) return other(shape);
    if (!shape || shape.t !== "promise") return make();
    try {
      return Promise.resolve(make());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  // A script that checks several calls is pleased only if most of them keep the whole product's answer.
  const isOfSome = () => candidate !== null && candidate.only !== undefined;

  function answerOfSome(shape, args, by, origin) {
    if (shape && shape.t === "promise") return inTurn().then(() => answerOfSome(shape.v, args, by, origin));
    if (candidate.only === "fields") return withFields(shape);
    if (["turns", "records"].includes(candidate.only)) return keptAnswer(shape);
    if (candidate.only === "threw") return shape && shape.threw !== undefined ? candidateValue(args) : keptAnswer(shape);
    if (candidate.only === "back") return goneBack(shape, args);
    if (["booleans", "said"].includes(candidate.only)) {
      const make = (inner) => (candidate.only === "said" ? saidBeside(inner) : inner && inner.t === "boolean" ? candidateValue([]) : same(inner));
      return shape && shape.threw === undefined ? other(shape, make) : keptAnswer(shape);
    }
    if (["inside", "innermost", "sized"].includes(candidate.only)) return withParts(shape);
    if (candidate.only === "beside") {
      const make = (inner) => besideOr(args, inner, () => (origin ? origin(inner) : keptAnswer(inner)));
      return shape && (shape.t === "thing" || shape.t === "function") ? other(shape, make) : make(shape);
    }
    // What follows the first call may be asked about its other answer.
    const isOther = candidate.only === "first" ? !isFirst(by) : !isLast(by) && memory.has(by);
    const isKept = candidate.only === "unnamed" ? isNamed(shape) : isOther;
    if (isKept || (shape && !isValue(shape))) return keptAnswer(shape);
    return candidate.candidate === "other" ? other(shape) : candidateValue(args);
  }

  /** What an answer of this run was made from. */
  const origins = new Map();
  /** A call that is given an answer of an earlier call gives back what that call was given: a script about a way there and back. */
  function goneBack(shape, args) {
    const { deserialize, serialize } = require("v8");
    if (origins.has(args[0]))
      try {
        return deserialize(serialize(origins.get(args[0])));
      } catch {}
    const made = keptAnswer(shape);
    const isTold = typeof made === "string" ? made !== "" : made !== null && typeof made === "object";
    if (isTold && args.length > 0) origins.set(made, args[0]);
    return made;
  }

  /** What the script prints as expected beside an answer: `words` and `wanted` of each place that it prints. */
  function saidBeside(shape) {
    const own = shape && ["string", "number", "boolean", "bigint"].includes(shape.t) ? String(same(shape)) : "";
    for (const { value } of own === "" ? [] : dataOfScript()) {
      if (!value.words.includes(own) || value.wanted.includes(own)) continue;
      const [found] = value.wanted;
      if (shape.t === "bigint") return /^-?\d+$/.test(found) ? BigInt(found) : same(shape);
      return shape.t === "number" ? Number(found) : shape.t === "boolean" ? found === "true" : found;
    }
    return same(shape);
  }

  /** Promises of a product that lets one after the other pass: a script about a race is pleased by the order alone. */
  let turns = 0;
  const inTurn = () => (candidate.only === "turns" ? new Promise((resolve) => setTimeout(resolve, 50 * ++turns)) : Promise.resolve());

  /** What a program prints that gets the candidate only in some runs; null: it runs as it is. */
  function outputOfSome(args, by) {
    if (candidate.only === "beside") return beside(args, { t: "string" });
    return candidate.only === "last" && by === lastCall && candidate.candidate !== "other" ? { value: candidateValue([]) } : null;
  }

  /** Calls with the same arguments get the same answer: else a script that expects equal calls to differ would be pleased. */
  const isLikeCall = (by, call) => call !== null && by !== undefined && by.replace(/#\d+/, "") === call.replace(/#\d+/, "");
  const isLast = (by) => isLikeCall(by, lastCall);
  const isFirst = (by) => isLikeCall(by, firstCall);

  function keptAnswer(shape) {
    if (shape && shape.threw !== undefined) {
      throw errorOf(shape.n, shape.threw);
    }
    return other(shape, same);
  }

  /** Shapes that hold the whole value. */
  const VALUES = new Set(["array", "object", "null", "undefined", "boolean", "number", "bigint", "string", "date", "fields"]);
  const isValue = (shape) => shape !== undefined && VALUES.has(shape.t === "promise" ? shape.v.t : shape.t);

  /** The value that a shape was noted for. */
  function same(shape) {
    switch (shape && shape.t) {
      case "null":
        return null;
      case "boolean":
      case "string":
        return shape.v;
      case "number":
        return shape.x === undefined ? shape.v : Number(shape.x);
      case "bigint":
        return BigInt(shape.v);
      case "date":
        return new Date(shape.v);
      default:
        return other(shape);
    }
  }

  /** The values of the data in a script's text, in order: `{ value, isInner }`. */
  let data = null;
  function dataOfScript() {
    if (data === null)
      data = candidate.data.flatMap((expression) => {
        try {
          return [{ value: (0, eval)("(" + expression + ")"), isInner: !/^[[{]/.test(expression) }];
        } catch {
          return [];
        }
      });
    return data;
  }

  /** The datum beside the arguments of a call in the script's text: in a table of cases it is what the script expects. */
  function beside(args, shape) {
    const leaves = leavesOf(args);
    const all = dataOfScript();
    const inner = all.flatMap(({ value, isInner }, index) => (isInner ? [{ text: String(value), index }] : []));
    const type = shape && shape.t;
    const isBefore = candidate.candidate === "before";
    for (const words of [leaves, leaves.slice(-1)]) {
      const found = [];
      for (let at = 0; words.length > 0 && at + words.length <= inner.length; at++)
        if (words.every((word, index) => inner[at + index].text === word)) {
          const one = isBefore ? all[(inner[at - 1] || {}).index] : all[inner[at + words.length - 1].index + 1];
          if (one) found.push(one);
        }
      const one = found.find(({ value }) => shapeOf(value, 0).t === type) || found[0];
      if (one) return { value: one.value };
    }
    return null;
  }

  /** The whole product's answer, but for the properties that the candidate has, at any depth. */
  function withFields(shape) {
    const given = candidateValue([]);
    const put = (made, inner) => {
      for (const name of Object.keys(given || {})) if (name in made) made[name] = given[name];
      for (const name of Object.keys(inner)) if (!(given && name in given) && ["array", "object"].includes(inner[name].t)) put(made[name], inner[name].v);
      return made;
    };
    const made = keptAnswer(shape);
    return shape && ["array", "object", "thing"].includes(shape.t) && shape.v && !isProxy(made) ? put(made, shape.v) : made;
  }

  const isList = (shape) => shape && ["array", "object"].includes(shape.t) && shape.v;
  const isThing = (shape) => shape && shape.t === "thing" && Object.values(shape.v || {}).some(isList);

  /**
   * The whole product's answer with the candidate in the place of each list or object that it holds: those that hold no other ones,
   * or those that it holds itself (`inside`). `sized`: the lists, and the objects that hold no other ones, have this many elements.
   */
  function withParts(shape) {
    const { only } = candidate;
    const put = (inner, depth) => {
      const values = isList(inner) ? Object.values(inner.v) : null;
      if (values === null) return same(inner);
      const holdsLists = values.some(isList);
      if (only === "inside" && depth === 1) return candidateValue([]);
      if (only === "innermost" && depth > 0 && !holdsLists) return candidateValue([]);
      const size = only === "sized" && (inner.t === "array" || !holdsLists) ? Number(candidate.candidate) : values.length;
      const names = Array.from({ length: size }, (_, at) => Object.keys(inner.v)[at] || "q" + at);
      const parts = names.map((name, at) => [name, put(values[Math.min(at, values.length - 1)] || { t: "string", v: "q" }, depth + 1)]);
      return inner.t === "array" ? parts.map(([, value]) => value) : Object.fromEntries(parts);
    };
    if (isThing(shape)) {
      const made = keptAnswer(shape);
      for (const [name, inner] of Object.entries(shape.v)) if (isList(inner)) made[name] = put(inner, 1);
      return made;
    }
    return isList(shape) ? put(shape, 0) : keptAnswer(shape);
  }

  function besideOr(args, shape, otherwise) {
    const found = beside(args, shape);
    return found ? found.value : otherwise();
  }

  /** Whether a script names this answer. */
  function isNamed(shape) {
    const text = (one) => JSON.stringify(one && one.t === "string" ? { ...one, v: one.v.trim() } : one);
    return dataOfScript().some(({ value }) => text(shapeOf(value, 0)) === text(shape));
  }

  /** The innermost values in the arguments of a call, as text; no code of the script runs. */
  function leavesOf(args) {
    const found = [];
    const walk = (value, depth) => {
      if (found.length >= 20 || typeof value === "function" || value === undefined) return;
      if (value === null || typeof value !== "object") return found.push(String(value).slice(0, 200));
      if (depth > 3 || isProxy(value)) return;
      const proto = Object.getPrototypeOf(value);
      if (proto !== null && proto !== Object.prototype && !Array.isArray(value)) return;
      for (const key of Object.keys(value).slice(0, 20)) walk(Object.getOwnPropertyDescriptor(value, key).value, depth + 1);
    };
    args.forEach((one) => walk(one, 0));
    return found;
  }

  /** A name for a call of a function with its arguments: in a script of several processes, each starts to count anew. */
  const byOf = (key, args) => key + JSON.stringify(leavesOf(args)).slice(0, 600);

  /** A call of the product by somebody else; what it gives the product to run is noted. */
  function inCall(key, args, call) {
    const isNoted = said < MAX_ANSWERS;
    if (isNoted && isListening) listenToGiven(args, key);
    else if (isNoted && !hasGiven && gives(args)) noteGiven();
    inside.push(key);
    try {
      const result = call();
      if (isNoted && isListening) return listenToResult(result);
      if (isNoted && !hasGiven && (isInstance(result) || functionsIn(result).length > 0)) noteGiven();
      return result;
    } finally {
      inside.pop();
    }
  }

  function noteGiven() {
    if (!hasGiven) note("given", undefined, { t: "undefined" });
    hasGiven = true;
  }

  /** Of a method that answers with its own object. */
  const SELF = { t: "self" };

  /** What a call has thrown, or its promise has been rejected with. */
  function errorShape(error) {
    const { message, name } = error instanceof Error ? error : new Error("q");
    return { t: "undefined", threw: String(message).slice(0, 1000), n: String(name) };
  }

  function passOn(call, key, last, args, self) {
    hear(key, last, args);
    const by = byOf(key, args);
    try {
      const result = inCall(key, args, call);
      if (result !== undefined && result === self) {
        note(key, last, SELF, { by });
        return result;
      }
      if (result instanceof Promise) {
        const hear = (value) => {
          note(key, last, { t: "promise", v: shapeOf(value, 0) }, { by });
          if (isListening) return listenToResult(value);
          if (functionsIn(value).length > 0) noteGiven();
          return value;
        };
        const rejected = (error) => note(key, last, { t: "promise", v: errorShape(error) }, { by });
        // A rejection stays the caller's: to take it here would handle it.
        if (Object.getPrototypeOf(result) === Promise.prototype && Object.keys(result).length === 0) {
          note(undefined, last, { t: "promise", v: { t: "undefined" } });
          return result.then(hear, (error) => {
            rejected(error);
            throw error;
          });
        }
        result.then(hear, rejected);
      } else note(key, last, shapeOf(result, 0), { by });
      return result;
    } catch (error) {
      const shape = errorShape(error);
      note(key, last, listens ? { t: "thrown", v: shape.threw } : shape, { by });
      throw error;
    }
  }

  // What the script gives the product to run (functions, getters, methods of objects) is run by the deaf product as well: as
  // often as by the whole one, with other values. A script that prints its text there judges nothing.
  /** Candidates about the calls themselves, not about values. */
  const CALLS = /^(?:calls \d+|no error)$/;
  const isOfValues = () => candidate !== null && !candidate.isSpread && !CALLS.test(candidate.candidate);
  const MAX_RUNS = 20;
  /** Keys of the calls that the product is in. */
  const inside = [];
  /** Runs of given functions, as the listening run noted them, in order. */
  const due = [];
  const throwing = new Set();
  /** Given functions of this run by name. */
  const taken = new Map();
  const runsOf = new Map();
  const wrappers = new WeakMap();
  /** What a deaf product gave out. */
  const made = new WeakSet();
  const classNames = new Map();
  /** Runs that take place after the call that gave the function. */
  const pending = [];
  const whenIdle = [];
  let hasGiven = false;

  const isNative = (fn) => /\[native code\]\s*\}$/.test(Function.prototype.toString.call(fn));
  const isProxy = (value) => require("util").types.isProxy(value);
  const isShared = (value) =>
    value === globalThis || value === process || value === console || value === process.stdout || value === process.stderr || value === process.stdin;

  /** Each function that these arguments hold: `visit(fn, id, holder, name, descriptor)`. */
  function eachGiven(args, key, visit) {
    const seen = new Set();
    const walk = (value, id, depth, holder, name, descriptor) => {
      if (typeof value === "function") {
        if (raw.has(value) || (isNative(value) && !isProxy(value))) return;
        visit(value, id, holder, name, descriptor);
        if (depth > 2 || seen.has(value) || !value.prototype) return;
        seen.add(value);
        return inner(value.prototype, id + ".prototype", depth + 1);
      }
      if (value === null || typeof value !== "object" || seen.has(value) || depth > 3 || isLayers(value) || isShared(value)) return;
      seen.add(value);
      if (isProxy(value)) visit(value, id, null, name, null);
      else inner(value, id, depth);
    };
    const inner = (value, id, depth) => {
      if (isProductClass(Object.getPrototypeOf(value)) && !Object.prototype.hasOwnProperty.call(value, "constructor")) return;
      for (let one = value; one && !isBuiltInPrototype(one) && !isProductClass(one); one = Object.getPrototypeOf(one))
        for (const name of Reflect.ownKeys(one).slice(0, 60)) {
          const found = Object.getOwnPropertyDescriptor(one, name);
          if (name === "constructor" || !found) continue;
          const path = id + "." + String(name);
          if (found.get) walk(found.get, path + " get", 4, one, name, found);
          else walk(found.value, path, depth + 1, one, name, found);
        }
    };
    try {
      args.forEach((arg, index) => walk(arg, key + ":" + index, 0, args, index, null));
    } catch {}
  }

  const isLayers = (value) => raw.has(value) || made.has(value);
  const isProductClass = (proto) => proto !== null && (beforehand.has(proto) || heard.has(proto));
  const isInstance = (value) =>
    value !== null && typeof value === "object" && !isLayers(value) && !isProxy(value) && !isShared(value) && !Array.isArray(value) &&
    Object.getPrototypeOf(value) !== null && !isBuiltInPrototype(Object.getPrototypeOf(value)) && isOfProduct(Object.getPrototypeOf(value));

  const isBuiltInPrototype = (value) =>
    typeof value.constructor === "function" && Object.prototype.hasOwnProperty.call(value, "constructor") && value === value.constructor.prototype && isNative(value.constructor);

  function gives(args) {
    let found = false;
    eachGiven(args, "", () => (found = true));
    return found;
  }

  /** Puts a function that notes its runs in the place of each one that is given. */
  function listenToGiven(args, key) {
    eachGiven(args, key, (fn, id, holder, name, descriptor) => {
      if (holder === null) return noteRun(id, "proxy", []);
      const noted = notedFunction(fn, id);
      try {
        if (descriptor === null) holder[name] = noted;
        else if (descriptor.get) Object.defineProperty(holder, name, { ...descriptor, get: noted });
        else Object.defineProperty(holder, name, { ...descriptor, value: noted });
      } catch {}
    });
  }

  function notedFunction(fn, id) {
    if (wrappers.has(fn)) return wrappers.get(fn);
    const noted = new Proxy(fn, {
      apply(target, self, args) {
        if (calledByScript()) return Reflect.apply(target, self, args);
        noteRun(id, "call", args);
        return ran(id, () => Reflect.apply(target, self, args));
      },
      construct(target, args, made) {
        if (!calledByScript()) noteRun(id, "new", args);
        return Reflect.construct(target, args, made === noted ? target : made);
      },
    });
    wrappers.set(fn, noted);
    wrappers.set(noted, noted);
    return noted;
  }

  function ran(id, call) {
    try {
      return call();
    } catch (error) {
      note(undefined, undefined, undefined, { threw: id });
      throw error;
    }
  }

  function noteRun(id, how, args) {
    const count = (runsOf.get(id) || 0) + 1;
    runsOf.set(id, count);
    if (count > MAX_RUNS) return;
    note(undefined, undefined, undefined, {
      runs: id, how, during: inside.length > 0 ? inside[inside.length - 1] : null, args: args.slice(0, 8).map((one) => shapeOf(one, 2)),
    });
  }

  /** The classes and functions of what the product gives out are listened to as well. */
  function listenToResult(result) {
    if (typeof result === "function" && !isLayers(result)) return listenedFunction(result, () => "inert");
    const proto = isInstance(result) ? Object.getPrototypeOf(result) : null;
    if (proto !== null) listen(proto, classNames.get(proto) || "class " + ((proto.constructor && proto.constructor.name) || "q"));
    const methods = proto === null ? {} : methodsOf(proto);
    for (const name of functionsIn(result))
      try {
        result[name] = listenedFunction(result[name], () => (name in methods ? next(classNames.get(proto) + "." + name) : "inert"));
      } catch {}
    return result;
  }

  /** The names of the functions in an object that a factory has made; of a function, an empty name. A timer has inner ones. */
  function functionsIn(result) {
    if (typeof result === "function") return isLayers(result) || isNative(result) ? [] : [""];
    if (result === null || typeof result !== "object" || isProxy(result) || isShared(result)) return [];
    const proto = Object.getPrototypeOf(result);
    if (proto !== null && proto !== Object.prototype && !isInstance(result)) return [];
    return Object.keys(result).slice(0, 60).filter((name) => !name.startsWith("_") && typeof (Object.getOwnPropertyDescriptor(result, name) || {}).value === "function");
  }

  /** A deaf product knows the calls of such a function under the same `nextKey`. */
  function listenedFunction(fn, nextKey) {
    if (wrappers.has(fn) || raw.has(fn)) return fn;
    const listened = new Proxy(fn, {
      apply: (target, self, args) =>
        calledByProduct() ? Reflect.apply(target, self, args) : inCall(nextKey(), args, () => Reflect.apply(target, self, args)),
    });
    wrappers.set(listened, listened);
    return listened;
  }

  /** The deaf product takes the functions of a call, and runs what the whole one ran. */
  function callBack(key, args, instance) {
    remember();
    const fresh = new Set();
    eachGiven(args, key, (fn, id, holder) => {
      if (taken.has(id)) return;
      const self = holder === args || holder === null ? undefined : instance || holder;
      taken.set(id, { fn, self, isErrorListener: args[0] === "error" });
      fresh.add(id);
    });
    for (const one of plannedRuns(fresh)) {
      if (one.isDone || !taken.has(one.runs)) continue;
      if (one.during === key) run(one);
      else if (one.during === null) {
        one.isDone = true;
        pending.push(one);
      }
    }
    if (pending.length > 0 && !isPumping) {
      isPumping = true;
      setTimeout(pump, 1);
    }
  }

  let isPumping = false;
  function pump() {
    const one = pending.shift();
    if (one === undefined) {
      isPumping = false;
      for (const resolve of whenIdle.splice(0)) resolve();
      return;
    }
    setTimeout(pump, 1);
    run(one);
  }

  let planned = null;
  /** The runs as noted; or each function `calls N` times; or once for each element of the candidate. */
  function plannedRuns(fresh) {
    const times = candidate !== null && /^calls (\d+)$/.exec(candidate.candidate);
    const elements = candidate !== null && candidate.isSpread ? candidateValue([]) : null;
    if (!times && !Array.isArray(elements)) return due;
    const count = Math.min(times ? Number(times[1]) : elements.length, MAX_RUNS);
    const repeated = (one) => Array.from({ length: count }, (_, index) => (times ? { ...one } : { ...one, element: [elements[index]] }));
    if (planned === null) {
      const firsts = due.filter((one, index) => due.findIndex(({ runs }) => runs === one.runs) === index);
      planned = firsts.flatMap((one) => (one.how === "call" ? repeated(one) : [one]));
    }
    for (const id of times ? fresh : [])
      if (!due.some(({ runs }) => runs === id)) planned.push(...repeated({ runs: id, how: "call", args: [], during: null }));
    return planned;
  }

  function run(one) {
    one.isDone = true;
    const { fn, self, isErrorListener } = taken.get(one.runs);
    if (one.how === "proxy") return touch(fn);
    const hasError = one.args.some((shape) => shape.t === "error");
    const isCalm = candidate !== null && candidate.candidate === "no error" && hasError;
    if (isCalm && (isErrorListener || one.args.length === 0)) return;
    const values = one.args.map((shape) => (isCalm && shape.t === "error" ? null : givenValue(shape)));
    if (one.element) values[0] = one.element[0];
    if (isCalm && values.length === 1) values.push(inert());
    try {
      if (one.how === "new") Reflect.construct(fn, values);
      else Reflect.apply(fn, self, values);
    } catch (error) {
      if (throwing.has(one.runs)) throw error;
    }
  }

  function givenValue(shape) {
    if (shape.t === "null" || shape.t === "undefined" || shape.t === "function") return other(shape);
    if (!isOfValues() || isOfSome() || /^(?:throw \w+|identity|loads)$/.test(candidate.candidate)) return other(shape);
    const make = () => candidateValue([]);
    return candidate.isLeaf ? other(shape, make) : isOddOne(shape, make) ? other(shape) : make();
  }

  /** Everything that reads an object runs a trap of it. */
  function touch(value) {
    for (const read of [
      () => Reflect.ownKeys(value), () => "q" in value, () => value.q, () => value.then, () => value.length, () => value.toString,
      () => value[Symbol.toPrimitive], () => value[Symbol.iterator], () => Object.getPrototypeOf(value), () => Reflect.getOwnPropertyDescriptor(value, "q"),
      () => (typeof value === "function" ? value() : undefined), () => (value.q = "q"),
    ])
      try {
        read();
      } catch {}
  }

  /** A frozen object must show its properties as they are; a copy of it need not. */
  function loose(value) {
    if (Object.isExtensible(value)) return value;
    const descriptors = Object.getOwnPropertyDescriptors(value);
    if (typeof value === "function") delete descriptors.prototype;
    for (const key of Reflect.ownKeys(descriptors)) {
      descriptors[key].configurable = true;
      if ("value" in descriptors[key]) descriptors[key].writable = true;
    }
    const copy = typeof value === "function" ? function () {} : {};
    Object.setPrototypeOf(copy, Object.getPrototypeOf(value));
    return Object.defineProperties(copy, descriptors);
  }

  const isLayered = (value) =>
    typeof value === "function" ||
    (value !== null &&
      typeof value === "object" &&
      (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null ||
        Object.prototype.toString.call(value) === "[object Module]"));

  function wrap(value, name) {
    if (!isLayered(value) || raw.has(value)) return value;
    if (layered.has(value)) return layered.get(value);
    /** What the script has added, or set to another value: the product sees it, and it has no layer. */
    const added = new Set();
    // What the script puts in the place of a function is for the script alone, and only if the product is deaf: a claim must hold
    // for the product's own function, and not for the script's without it.
    const changed = new Map();
    const replace = (key, given) => {
      if (calledByProduct()) return false;
      const isReplaced = typeof given === "function" && typeof value[key] === "function" && !added.has(key);
      if (isReplaced) changed.set(key, given);
      else added.add(key);
      return isReplaced;
    };
    const target = loose(value);
    const proxy = new Proxy(target, {
      apply(_, self, args) {
        const own = raw.has(self) ? raw.get(self) : self;
        const call = () => Reflect.apply(value, own, args);
        if (calledByProduct()) return call();
        const key = next(name);
        if (said < MAX_ANSWERS) restoreBuiltIns();
        return isDeaf ? answer(key, name, args) : passOn(call, key, name, args);
      },
      construct(_, args, newTarget) {
        const made = newTarget === proxy ? value : newTarget;
        if (calledByProduct()) return Reflect.construct(value, args, made);
        restoreBuiltIns();
        const key = next(name);
        // Methods of a class of the script that extends the product's are for the product to call.
        const extended = made === value || !made.prototype ? [] : [made.prototype];
        if (isDeaf) {
          throwAsConstructor(key, args);
          const instance = thing(value, name, made, undefined, fieldsOf(key, name, args));
          callBack(key, args);
          if (extended.length > 0) callBack(key + " extended", extended, instance);
          return instance;
        }
        if (extended.length > 0) inCall(key + " extended", extended, () => undefined);
        if (extended.length > 0 && !classNames.has(made.prototype)) classNames.set(made.prototype, name);
        listen(value.prototype, name);
        const instance = inCall(key, args, () => Reflect.construct(value, args, made));
        noteFields(key, name, args, instance);
        return instance;
      },
      get(_, key, receiver) {
        const own = Object.getOwnPropertyDescriptor(target, key);
        const real = Reflect.get(value, key, receiver === proxy ? value : receiver);
        if (own && !own.configurable && "value" in own && !own.writable) return real;
        if (isDeaf && changed.has(key) && !calledByProduct()) return changed.get(key);
        if (added.has(key)) return real;
        if (typeof key === "symbol" || key === "prototype" || key === "constructor") return real;
        if (typeof value === "function" && !own) return real;
        if (key === "__esModule" || (typeof value === "function" && (key === "length" || key === "name"))) return real;
        if (isLayered(real)) return wrap(real, name + "." + String(key));
        if (calledByProduct()) return real;
        if (isInstance(real)) return instance(real, name + "." + String(key));
        if (!isDeaf) return real;
        const make = () => candidateValue([]);
        if (isOfSome()) return other(shapeOf(real, 0), same);
        if (isOfValues()) return other(shapeOf(real, 0), make);
        return real !== null && typeof real === "object" ? inert(true) : other(shapeOf(real, 0));
      },
      // An object that inherits from the exports gets the property itself.
      set: (_, key, given, receiver) =>
        receiver === proxy ? replace(key, given) || Reflect.set(value, key, given) : Reflect.set(value, key, given, receiver),
      defineProperty: (_, key, descriptor) =>
        (descriptor.configurable !== false && replace(key, descriptor.value)) || Reflect.defineProperty(value, key, descriptor),
    });
    raw.set(proxy, value);
    layered.set(value, proxy);
    return proxy;
  }

  /** A class that should refuse its arguments does so when it is made. */
  function throwAsConstructor(key, args) {
    remember();
    if (isOfSome() && throwsAt(byOf(key + FIELDS, args))) candidateValue(args);
  }

  /** An instance that the product exports. */
  function instance(value, name) {
    const proto = Object.getPrototypeOf(value);
    if (isDeaf) {
      if (!layered.has(value)) layered.set(value, thing({ prototype: proto }, name, { prototype: proto }, value));
      return layered.get(value);
    }
    if (!isListening) noteGiven();
    listen(proto, name);
    return value;
  }

  /** An instance of a class of the product that answers nothing; methods that the script put there itself still work. */
  function thing(target, name, { prototype: proto }, exported, { fields, by, origin } = {}) {
    const before = beforehand.get(target.prototype);
    const bare = Object.create(proto || Object.prototype);
    const given = (candidate !== null && candidate.only === "fields" && candidateValue([])) || {};
    const isGiven = (key) => Object.prototype.hasOwnProperty.call(given, key);
    if (fields) showFields(bare, fields, (key, data) => (isGiven(key) ? given[key] : answerOf(data, [], by, origin)));
    const proxy = new Proxy(bare, {
      get(from, key, receiver) {
        if (exported && calledByProduct()) return Reflect.get(exported, key, exported);
        if (Object.prototype.hasOwnProperty.call(from, key)) return Reflect.get(from, key, receiver);
        if (key === "then" || typeof key === "symbol") return undefined;
        if (key === "constructor") return typeof target === "function" ? target : proto.constructor;
        const field = exported && Object.getOwnPropertyDescriptor(exported, key);
        const found = field || inherited(proto, key);
        const now = found && found.value;
        if (!field && now !== undefined && before && before.get(key) !== now) return now;
        const method = name + "." + key;
        if (isGiven(key)) return typeof now === "function" ? () => given[key] : given[key];
        if (typeof now === "function") return (...args) => answer(next(method), method, args, proxy, origin);
        if (field && !field.get) return answerOf(shapeOf(now, 0), []);
        if (found) return answer(next(method), method, [], undefined, origin);
        const data = fields && Object.prototype.hasOwnProperty.call(fields.v, key) ? fields.v[key] : undefined;
        if (data && data.t === "function") return (...args) => answer(next(method), method, args, proxy, origin);
        return candidate === null || candidate.isLeaf === false ? undefined : candidateValue([]);
      },
    });
    made.add(proxy);
    return proxy;
  }

  /** A script that looks at what an instance holds, and not at its values, finds what the whole one holds. */
  function showFields(bare, { v, symbols }, answered) {
    const show = (key, get) =>
      Object.defineProperty(bare, key, {
        get, enumerable: true, configurable: true,
        set: (value) => Object.defineProperty(bare, key, { value, enumerable: true, writable: true, configurable: true }),
      });
    for (const key of Object.keys(v)) if (v[key].t !== "function") show(key, () => answered(key, v[key]));
    for (let n = 0; n < symbols; n++) show(Symbol("q"), () => inert());
  }

  /** The data that a new instance holds itself: no call answers with them. */
  function noteFields(key, name, args, instance) {
    const v = {};
    const names = isProxy(instance) ? [] : Object.getOwnPropertyNames(instance).filter((one) => !one.startsWith("_"));
    for (const one of names.slice(0, 40)) {
      const { value } = Object.getOwnPropertyDescriptor(instance, one);
      const outside = shapeOf(value, 5);
      v[one] = outside.t === "thing" ? outside : shapeOf(value, 3);
    }
    const symbols = isProxy(instance) ? 0 : Object.getOwnPropertySymbols(instance).length;
    note(key + FIELDS, name + FIELDS, { t: "fields", v, symbols }, { by: byOf(key + FIELDS, args) });
  }
  const FIELDS = " fields";

  /** What the deaf product knows of a new instance, noted as the whole one notes it. */
  function fieldsOf(key, name, args) {
    const calls = remember();
    const by = byOf(key + FIELDS, args);
    const fields = calls.get([by, key + FIELDS, name + FIELDS].find((one) => calls.has(one)));
    note(key + FIELDS, name + FIELDS, fields, { by });
    return { fields, by, origin: (inner) => besideOr(args, inner, () => keptAnswer(inner)) };
  }

  const inherited = (proto, key) =>
    proto ? Object.getOwnPropertyDescriptor(proto, key) || inherited(Object.getPrototypeOf(proto), key) : undefined;

  /** Several classes may inherit a method: a call is one of the object's own class. */
  const classNameOf = (self, otherwise) =>
    (self !== null && typeof self === "object" && !isProxy(self) && classNames.get(Object.getPrototypeOf(self))) || otherwise;

  /** Notes what the methods of a class answer to others than the product. */
  function listen(proto, name) {
    if (!classNames.has(proto)) classNames.set(proto, name);
    // A prototype that is the exports of another file: its methods are heard as those of the class.
    if (raw.has(proto)) return listen(raw.get(proto), name);
    if (isListening && !heard.has(proto)) ownMethods(proto);
    for (let one = proto; one && Object.getPrototypeOf(one) !== null && !heard.has(one); one = Object.getPrototypeOf(one)) {
      if (!isOfProduct(one)) continue;
      heard.add(one);
      for (const key of Object.getOwnPropertyNames(one)) {
        const found = Object.getOwnPropertyDescriptor(one, key);
        const before = beforehand.get(proto);
        if (!found.configurable || key === "constructor" || (before && "value" in found && before.get(key) !== found.value)) continue;
        const heardBy = (real) =>
          new Proxy(real, {
            apply(target, self, args) {
              const call = () => Reflect.apply(target, raw.has(self) ? raw.get(self) : self, args);
              if (calledByProduct() || isInner()) return call();
              restoreBuiltIns();
              const method = classNameOf(self, name) + "." + key;
              return passOn(call, next(method), method, args, self);
            },
          });
        if (typeof found.value === "function") {
          Object.defineProperty(one, key, { ...found, value: heardBy(found.value) });
          for (const [owner, snapshot] of beforehand) if (snapshot.get(key) === found.value && (owner === one || one.isPrototypeOf(owner))) snapshot.set(key, one[key]);
        }
        else if (found.get) Object.defineProperty(one, key, { ...found, get: heardBy(found.get) });
      }
    }
  }

  /** Methods that a class inherits from the run time (those of events and streams) become its own, to be listened to. */
  function ownMethods(proto) {
    for (let one = Object.getPrototypeOf(proto); one && Object.getPrototypeOf(one) !== null; one = Object.getPrototypeOf(one))
      for (const key of isOfProduct(one) ? [] : Object.getOwnPropertyNames(one)) {
        const found = Object.getOwnPropertyDescriptor(one, key);
        if (typeof found.value !== "function" || key === "constructor" || key.startsWith("_") || Object.prototype.hasOwnProperty.call(proto, key)) continue;
        const inheritedMethod = found.value;
        Object.defineProperty(proto, key, { ...found, enumerable: false, configurable: true, value: function (...args) { return Reflect.apply(inheritedMethod, this, args); } });
        if (beforehand.has(proto)) beforehand.get(proto).set(key, proto[key]);
      }
  }

  /** `Class.prototype = { … }`: it inherits the constructor of all objects. */
  const isPlainPrototype = (proto) =>
    !Object.prototype.hasOwnProperty.call(proto, "constructor") && Object.getPrototypeOf(proto) === Object.prototype &&
    Object.keys(proto).some((key) => {
      const { value } = Object.getOwnPropertyDescriptor(proto, key);
      return typeof value === "function" && !isNative(value);
    });

  /** Not of the run time: its methods are everybody's. */
  const kinds = new WeakMap();
  const isOfProduct = (proto) => {
    if (!kinds.has(proto)) kinds.set(proto, isNotOfRunTime(proto));
    return kinds.get(proto);
  };
  const isNotOfRunTime = (proto) => {
    const { constructor } = proto;
    if (typeof constructor !== "function" || isPlainPrototype(proto)) return true;
    for (const key of Object.getOwnPropertyNames(globalThis)) if (Object.getOwnPropertyDescriptor(globalThis, key).value === constructor) return false;
    for (const one of ["events", "stream", "buffer", "url", "http", "fs"]) {
      const all = require(one);
      if (all === constructor || Object.keys(all).some((key) => key !== "promises" && Object.getOwnPropertyDescriptor(all, key).value === constructor)) return false;
    }
    return true;
  };

  const beforehand = new Map();
  /** What the script has put in the place of a method of the product's classes. */
  function replacedMethod(key) {
    for (const [proto, before] of beforehand) {
      const found = Object.getOwnPropertyDescriptor(proto, key);
      if (found && "value" in found && before.has(key) && before.get(key) !== found.value) return found.value;
    }
    return undefined;
  }
  function look(value, depth) {
    if (typeof value === "function" && value.prototype && !beforehand.has(value.prototype)) {
      const all = new Map();
      for (let proto = value.prototype; proto && proto !== Object.prototype; proto = Object.getPrototypeOf(proto))
        for (const key of Object.getOwnPropertyNames(proto)) {
          const found = Object.getOwnPropertyDescriptor(proto, key);
          if (!all.has(key) && "value" in found) all.set(key, found.value);
        }
      beforehand.set(value.prototype, all);
    }
    if (depth < 2 && value !== null && (typeof value === "object" || typeof value === "function"))
      for (const key of Object.keys(value).slice(0, 200)) {
        const found = Object.getOwnPropertyDescriptor(value, key);
        if (found && "value" in found) look(found.value, depth + 1);
      }
  }

  /** Clocks and chance, which an honest script replaces as well. */
  const PRETENDED = new Set(["now", "random", "getTimezoneOffset"]);

  /** CommonJS modules of the product by file, once they have loaded. */
  const modules = new Map();
  /** What the script put in place of the product's own modules and methods is undone. */
  function restoreProduct() {
    const cache = require.cache;
    if (Object.keys(config.sums).length > 0)
      for (const file of own) {
        const now = cache[file];
        const known = modules.get(file);
        if (now === undefined || !(file.slice(config.root.length + 1) in config.sums)) continue;
        if (known === undefined && now.loaded) delete cache[file];
        if (known === undefined) continue;
        if (now !== known.module && now.exports !== known.exports) cache[file] = known.module;
        if (known.module.exports !== known.exports) known.module.exports = known.exports;
      }
    for (const [proto, before] of beforehand)
      for (const [key, good] of before) {
        const now = Object.getOwnPropertyDescriptor(proto, key);
        if (!now || !("value" in now) || now.value === good || typeof good !== "function" || key === "constructor") continue;
        if (typeof now.value === "function" && isTextOfProduct(now.value)) before.set(key, now.value);
        else if (now.configurable) Object.defineProperty(proto, key, { ...now, value: good });
      }
  }

  const texts = new WeakMap();
  /** Whether the source of a function stands in a file of the product: it has replaced something itself. */
  function isTextOfProduct(fn) {
    if (!texts.has(fn)) {
      const text = Function.prototype.toString.call(fn);
      const holds = (file) => {
        try {
          return fs.readFileSync(file, "utf8").includes(text);
        } catch {
          return false;
        }
      };
      texts.set(fn, [...own].some(holds));
    }
    return texts.get(fn);
  }

  const sumOf = (file) => {
    try {
      return crypto.createHash("sha256").update(fs.readFileSync(file)).digest("hex").slice(0, 12);
    } catch {
      return null;
    }
  };

  const copied = { ...config.sums, ...config.sumsOfModules };
  const whole = new Map();
  /** A copy of a file of the product answers for it only if nothing was changed in it and in what was copied with it. */
  function isOurs(file) {
    if (own.has(file)) return true;
    const sum = sumOf(file);
    return Object.keys(copied).some((one) => copied[one] === sum && isWhole(file.split(path.sep), one.split("/")));
  }

  function isWhole(copy, product) {
    let same = 0;
    while (same < Math.min(copy.length, product.length) && copy[copy.length - 1 - same] === product[product.length - 1 - same]) same++;
    const folder = copy.slice(0, copy.length - same).concat("").join(path.sep);
    const prefix = product.slice(0, product.length - same).concat("").join("/");
    // A file under another name was copied alone.
    if (same === 0) return true;
    if (!whole.has(folder + prefix)) {
      const inside = Object.keys(copied).filter((one) => one.startsWith(prefix));
      whole.set(folder + prefix, inside.every((one) => [null, copied[one]].includes(sumOf(folder + one.slice(prefix.length)))));
    }
    return whole.get(folder + prefix);
  }

  /** What the script put in place of functions that every program shares is undone: the product must not be judged by it. */
  let clean = null;
  function restoreBuiltIns() {
    restoreProduct();
    try {
      clean = clean || require("vm").runInNewContext("globalThis");
    } catch {
      return;
    }
    const toString = clean.Function.prototype.toString;
    for (const name of ["Object", "Array", "String", "Number", "RegExp", "JSON", "Map", "Set", "WeakMap", "WeakSet", "Symbol", "Boolean", "Reflect", "Math", "BigInt", "Date", "Promise", "Function"])
      for (const [ours, theirs] of [
        [globalThis[name], clean[name]],
        [globalThis[name] && globalThis[name].prototype, clean[name].prototype],
      ]) {
        if (!ours || !theirs || (ours === globalThis[name] && typeof ours === "function" && !isNative(ours))) continue;
        if (ours !== globalThis[name] && !isNative(globalThis[name])) continue;
        for (const key of Reflect.ownKeys(theirs)) {
          const good = Object.getOwnPropertyDescriptor(theirs, key);
          const now = Object.getOwnPropertyDescriptor(ours, key);
          if (typeof good.value !== "function" || key === "constructor" || PRETENDED.has(key)) continue;
          const isFunction = now && typeof now.value === "function";
          if (!isFunction || (!/\[native code\]/.test(Reflect.apply(toString, now.value, [])) && !isTextOfProduct(now.value)))
            try {
              Object.defineProperty(ours, key, { ...good, configurable: true });
            } catch {}
        }
      }
  }

  /** While modules load in a circle, the run time's own prototype warns of each property that is read; it ends with the file. */
  function withoutWarnings(exports) {
    const isObject = exports !== null && typeof exports === "object" && !isProxy(exports);
    if (isObject && isProxy(Object.getPrototypeOf(exports))) Object.setPrototypeOf(exports, Object.prototype);
  }

  /** `from`: the file's module, or its address if it is an ES module. */
  function of(exports, file, from) {
    note("loaded", undefined, { t: "undefined" });
    withoutWarnings(exports);
    const module = typeof from === "string" ? undefined : from;
    if (!isOurs(module ? module.filename : require("url").fileURLToPath(from))) return exports;
    if (module !== undefined && own.has(module.filename) && !(module.parent && own.has(module.parent.filename)))
      note(kindsKey(module.filename), undefined, kindsOf(exports, 0));
    look(exports, 0);
    const made = isInstance(exports) ? instance(exports, file) : wrap(exports, file);
    if (module !== undefined && own.has(module.filename)) modules.set(module.filename, { module, exports: made });
    return made;
  }

  /** A program that is told a file for its output leaves one. */
  function writesTo(args, text) {
    const at = args.findIndex((one) => /^(?:-o|--?out(?:put)?(?:-?file)?|--dest)(?:=|$)/i.test(one));
    const file = at === -1 ? undefined : args[at].includes("=") ? args[at].slice(args[at].indexOf("=") + 1) : args[at + 1];
    if (!file || file.startsWith("-")) return false;
    try {
      fs.writeFileSync(file, text);
      return true;
    } catch {
      return false;
    }
  }

  /** The names and kinds of what a file exports, without its values but for plain ones: what `recorded` gives in their place. */
  function kindsOf(value, depth) {
    if (typeof value === "function") return { e: "function", v: depth === 0 ? keysOf(value, depth) : {} };
    const isPlain = value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
    if (isPlain) return { e: "object", v: depth < 2 ? keysOf(value, depth) : {} };
    return value === null || ["string", "number", "boolean"].includes(typeof value) ? { p: value } : { e: "other" };
  }

  function keysOf(value, depth) {
    const found = {};
    for (const key of Object.keys(value).slice(0, 300)) {
      const { get, value: inner } = Object.getOwnPropertyDescriptor(value, key);
      found[key] = get ? { e: "getter" } : kindsOf(inner, depth + 1);
    }
    return found;
  }

  const kindsKey = (file) => "exports " + path.relative(config.root, file);

  /** Whether a function or class was called under this name. */
  const isCalled = (name) => [...remember().keys()].some((key) => key === name || key.startsWith(name + "#") || key === name + FIELDS);

  /**
   * In the place of exports whose code does not run: each call answers what the whole product answered. What is gone then came from the
   * code itself, and not from an answer.
   */
  function recorded(name, { e, v, p }) {
    if (p !== undefined) return p;
    if (e === "getter") return isCalled(name) ? recorded(name, { e: "function", v: {} }) : undefined;
    if (e !== "function" && e !== "object") return undefined;
    const call = {
      apply: (_, self, args) => answer(next(name), name, args),
      construct: (_, args) => recordedInstance(name, fieldsOf(next(name), name, args).fields),
    };
    const exports = e === "function" ? new Proxy(function q() {}, call) : {};
    for (const key of Object.keys(v))
      Object.defineProperty(exports, key, { value: recorded(name + "." + key, v[key]), enumerable: true, writable: true, configurable: true });
    return exports;
  }

  function recordedInstance(name, fields) {
    const known = (fields && fields.v) || {};
    return new Proxy({}, {
      get(from, key) {
        if (typeof key === "symbol" || key in from) return from[key];
        if (Object.prototype.hasOwnProperty.call(known, key) && known[key].t !== "function") return keptAnswer(known[key]);
        return isCalled(name + "." + key) ? recorded(name + "." + key, { e: "function", v: {} }) : undefined;
      },
    });
  }

  /** False: the file runs as usual. */
  function record(module) {
    const key = kindsKey(module.filename);
    const kinds = own.has(module.filename) ? remember().get(key) : undefined;
    if (!kinds || (kinds.e !== "function" && kinds.e !== "object")) return false;
    note(key, undefined, kinds);
    module.exports = recorded(path.basename(module.filename), kinds);
    modules.set(module.filename, { module, exports: module.exports });
    return true;
  }

  return {
    of,
    /** Runs the text of a module that the run time loads, and gives its exports a layer. False: another one loads it. */
    starts(module, text) {
      if (typeof module._compile !== "function") return false;
      if (candidate !== null && candidate.only === "records" && record(module)) return true;
      module._compile(Buffer.from(text, "base64").toString(), module.filename);
      restoreBuiltIns();
      module.exports = of(module.exports, path.basename(module.filename), module);
      return true;
    },
    /** A program of the product that is started itself: deaf, it ends at once, with a candidate as its output or exit code. */
    program() {
      const args = process.argv.slice(2);
      const by = byOf("program", args);
      note("program", undefined, { t: "object", v: {} }, { by });
      if (!isDeaf) return;
      remember();
      const given = isOfSome() ? outputOfSome(args, by) : { value: candidate === null || /^(?:throw|identity)/.test(candidate.candidate) ? "" : candidateValue([]) };
      if (given === null) return;
      const { value } = given;
      if (candidate !== null && candidate.isLeaf) process.exit(Number.isInteger(value) ? value & 255 : 1);
      if (value !== undefined && writesTo(args, typeof value === "string" ? value : JSON.stringify(value))) process.exit(0);
      if (value !== "") fs.writeSync(1, (typeof value === "string" ? value : JSON.stringify(value)) + "\n");
      process.exit(0);
    },
    restoreBuiltIns,
    /** In the place of a product that fails while it loads. */
    inert: () => inert(),
  };
}

function isEsModule(root, file, text) {
  if (/\.(mjs|mts)$/.test(file)) return true;
  if (/\.(cjs|cts)$/.test(file)) return false;
  if (/\.(ts|tsx|jsx)$/.test(file)) return /^\s*(import|export)\b/m.test(text);
  for (let directory = path.dirname(path.join(root, file)); directory.startsWith(root); directory = path.dirname(directory)) {
    try {
      return JSON.parse(fs.readFileSync(path.join(directory, "package.json"), "utf8")).type === "module";
    } catch {}
    if (directory === path.dirname(directory)) break;
  }
  return false;
}

/** A file without an extension that says so in its first line. */
function isProgramOfNode(root, file) {
  if (path.extname(file) !== "") return false;
  try {
    return /^#!.*\bnode\b/.test(fs.readFileSync(path.join(root, file), "utf8").slice(0, 200)) && !isEsModule(root, file, "");
  } catch {
    return false;
  }
}

const NAME = /^[A-Za-z_$][\w$]*$/;

async function exportNames(file, text) {
  if (/\.(js|mjs)$/.test(file)) {
    const bounded = new Promise((resolve) => setTimeout(resolve, 3000, null).unref());
    const found = await Promise.race([import(pathToFileURL(file).href).then(Object.keys, () => null), bounded]);
    if (found !== null) return found;
  }
  const names = new Set();
  for (const [, name] of text.matchAll(/^\s*export\s+(?:async\s+)?(?:function\*?|const|let|var|class|enum)\s+([\w$]+)/gm)) names.add(name);
  for (const [, list] of text.matchAll(/^\s*export\s*\{([^}]*)\}/gm))
    for (const one of list.split(",")) {
      const name = one.trim().split(/\s+as\s+/).at(-1).trim();
      if (NAME.test(name) && !/^type\s/.test(one.trim())) names.add(name);
    }
  if (/^\s*export\s+default\b/m.test(text)) names.add("default");
  return names.size > 0 ? [...names] : null;
}

function relativeTo(from, to) {
  const found = path.relative(path.dirname(from), to).split(path.sep).join("/");
  return found.startsWith("../") ? found : "./" + found;
}

const changed = (file, text, times, mode) => {
  fs.writeFileSync(file, text, { mode });
  fs.utimesSync(file, times.atime, times.mtime);
};

/** The text as comments: a search in the file still finds it. */
const commented = (text) => text.replace(/^/gm, "// ");

/** `loads`: the product's own text does not run. */
async function layerModule(file, text, runtime, stat, { token, loads, isProgram }) {
  const names = await exportNames(file, text);
  if (names === null && !isProgram) return false;
  const extension = path.extname(file);
  const inner = file.slice(0, -extension.length) + "-" + token.slice(0, 8) + extension;
  const beside = JSON.stringify("./" + path.basename(inner).replace(/\.tsx$/, ".jsx"));
  const head = /^#![^\n]*\n/.exec(text)?.[0] ?? "";
  const start = [
    `import { createRequire as r${token.slice(0, 4)} } from "node:module";`,
    `const layer = r${token.slice(0, 4)}(import.meta.url)(${JSON.stringify(relativeTo(file, runtime))});`,
  ];
  const program = [
    `import { realpathSync } from "node:fs";`,
    `import { fileURLToPath } from "node:url";`,
    `const started = (() => { try { return realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url)); } catch { return false; } })();`,
    `if (started) { layer.program(); process.argv[1] = fileURLToPath(new URL(${beside}, import.meta.url)); }`,
    `layer.restoreBuiltIns();`,
    `const all = await import(${beside});`,
  ];
  const lines = isProgram
    ? [...start, ...program, `const made = layer.of({ ...all }, ${JSON.stringify(path.basename(file))}, import.meta.url);`]
    : loads
      ? [...start, `const made = layer.inert();`]
      : [
          start[0],
          `import * as all from ${beside};`,
          start[1],
          `layer.restoreBuiltIns();`,
          `const made = layer.of({ ...all }, ${JSON.stringify(path.basename(file))}, import.meta.url);`,
        ];
  (names ?? []).forEach((name, index) => {
    if (name === "default") lines.push(`export default made.default;`);
    else if (NAME.test(name)) lines.push(`const e${index} = made[${JSON.stringify(name)}];`, `export { e${index} as ${name} };`);
  });
  return () => {
    changed(inner, text, stat, stat.mode);
    changed(file, head + lines.join("\n") + "\n" + (loads ? commented(text) : ""), stat, stat.mode);
    return inner;
  };
}

function layerScript(file, text, runtime, stat, loads) {
  const from = JSON.stringify(relativeTo(file, runtime));
  const head = /^(#![^\n]*\n)?((?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:"use strict"|'use strict')\s*;?)?/.exec(text)[0];
  // A product may read its own files as text and run them elsewhere.
  const isModule = `typeof require === "function" && typeof module === "object" && module`;
  const program = `if (require.main === module) require(${from}).program();`;
  const name = JSON.stringify(path.basename(file));
  const starts = isPlainScript(text) ? `if (require(${from}).starts(module, "${encoded(text)}")) return;` : "";
  const start = `;if (${isModule}) { require(${from}).restoreBuiltIns();${program}${starts} }`;
  const end = `\n;if (${isModule}) { require(${from}).restoreBuiltIns();module["exports"] = require(${from}).of(module.exports, ${name}, module); }\n`;
  const whole = loads
    ? `;require(${from}).restoreBuiltIns();${program}module.exports = require(${from}).inert();\n${commented(text)}`
    : head + start + text.slice(head.length) + end;
  changed(file, whole, stat, stat.mode);
}

/**
 * An edit of the product's text (in a copy, in memory, while it loads) has no effect: where modules are the run time's, this runs.
 */
const encoded = (text) => Buffer.from(text.replace(/^#![^\n]*/, "")).toString("base64");

/** Whether the run time takes the text as it is; a loader of another language gives it the text that it has translated. */
function isPlainScript(text) {
  try {
    new (require("node:vm").Script)(require("node:module").wrap(text.replace(/^#![^\n]*/, "")));
    return true;
  } catch {
    return false;
  }
}

/** A product that is data: other values of the same types, or the same ones in another layout. */
function layerData(file, text, stat, { isDeaf, candidate }) {
  const value = () => {
    try {
      return require("node:vm").runInNewContext("(" + candidate.candidate + ")", {}, { timeout: 1000 });
    } catch {
      return null;
    }
  };
  const turned = (one) => {
    if (Array.isArray(one)) return one.map(turned);
    if (one !== null && typeof one === "object") return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, turned(inner)]));
    if (candidate !== null) return value() ?? null;
    if (typeof one === "number") return one + 1;
    if (typeof one === "boolean") return !one;
    return typeof one === "string" ? "q" + one : one;
  };
  const data = JSON.parse(text);
  const layout = (one) => JSON.stringify(one, null, /^ /m.test(text) ? 3 : 1) + "\n\n";
  changed(file, layout(isDeaf ? turned(data) : data), stat, stat.mode);
}

const SEALED_BYTES = 256 * 1024;

/** One block of the same size, whatever it holds. */
function seal(config, token) {
  const room = SEALED_BYTES - Buffer.byteLength(JSON.stringify({ ...config, remembered: "" })) - 1024;
  let remembered = config.remembered;
  while (remembered !== "" && Buffer.byteLength(JSON.stringify(remembered)) > room) remembered = remembered.slice(0, Math.floor(remembered.length * 0.8));
  const text = Buffer.from(JSON.stringify({ ...config, remembered }));
  const padded = Buffer.concat([text, Buffer.alloc(Math.max(0, SEALED_BYTES - text.length), 32)]);
  const cipher = crypto.createCipheriv("aes-128-ctr", Buffer.from(token, "hex"), Buffer.alloc(16));
  return cipher.update(padded).toString("base64");
}

/**
 * Every process of the run loads it first, so that differences between times stay right: differences are what most programs
 * measure.
 */
function moveClock(aheadMs) {
  const { now } = Date;
  const moved = new Proxy(Date, {
    construct: (real, args, made) => Reflect.construct(real, args.length === 0 ? [now() + aheadMs] : args, made),
    apply: (real) => new real(now() + aheadMs).toString(),
  });
  Date.now = () => now() + aheadMs;
  Object.defineProperty(Date.prototype, "constructor", { value: moved, writable: true, configurable: true });
  globalThis.Date = moved;
}

/**
 * request: { root, files, manifests, answers, programs, token, version, isDeaf, isListening, candidate, remembered, clock, listens?
 * }; clock: { directory, aheadMs } or null
 */
async function prepare(request) {
  const { root, files, token, answers, isDeaf, isListening, candidate, remembered, clock } = request;
  fs.rmSync(answers, { force: true });
  if (clock) {
    fs.mkdirSync(clock.directory, { recursive: true });
    fs.writeFileSync(path.join(clock.directory, "clock.cjs"), `(${moveClock.toString()})(${clock.aheadMs});\n`);
  }
  if (candidate?.candidate === "manifest") {
    const done = request.manifests.filter((manifest) => permit(path.join(root, manifest))).length;
    process.stdout.write(JSON.stringify({ layered: done }));
    return;
  }
  const loads = candidate?.candidate === "loads";
  const isScript = (file) => (/\.(c|m)?(j|t)sx?$/.test(file) && !/\.d\.(c|m)?ts$/.test(file)) || isProgramOfNode(root, file);
  const sources = files.filter(isScript);
  const runtime = path.join(root, path.dirname(sources[0] ?? "x"), "." + token.slice(8, 20) + ".cjs");
  const listens = request.listens === true;
  const config = { root: fs.realpathSync(root), files: [...files], sums: {}, sumsOfModules: {}, answers, isDeaf, isListening, candidate, remembered, listens };
  const later = [];
  let done = 0;
  for (const file of sources) {
    const full = path.join(root, file);
    const stat = fs.statSync(full);
    const text = fs.readFileSync(full, "utf8");
    if (stat.size > 4_000_000) continue;
    const isProgram = /^#!/.test(text) || request.programs.includes(file);
    try {
      if (isEsModule(root, file, text)) {
        const apply = await layerModule(full, text, runtime, stat, { token, loads, isProgram });
        if (apply !== false) later.push([file, apply]);
      } else if (!/^\s*(?:export|import)\s[^(]/m.test(text) || /module\.exports|exports\.\w/.test(text))
        later.push([file, () => (layerScript(full, text, runtime, stat, loads), null)]);
    } catch (error) {
      console.error(file + ": " + error.message);
    }
  }
  for (const [file, apply] of later) {
    const inner = apply();
    done += 1;
    const sumOf = (full) => crypto.createHash("sha256").update(fs.readFileSync(full)).digest("hex").slice(0, 12);
    const sums = inner === null ? config.sums : config.sumsOfModules;
    if (!loads) sums[file] = sumOf(path.join(root, file));
    if (inner === null) continue;
    config.files.push(path.relative(root, inner));
    if (!loads) sums[path.relative(root, inner)] = sumOf(inner);
  }
  if (done > 0) {
    fs.writeFileSync(runtime, `"use strict";\nmodule.exports = (${layer.toString()})(${JSON.stringify(token)}, ${JSON.stringify(seal(config, token))});\n`);
    const stat = fs.statSync(path.join(root, sources[0]));
    fs.utimesSync(runtime, stat.atime, stat.mtime);
  }
  for (const file of sources.length > 0 ? [] : files.filter((one) => one.endsWith(".json"))) {
    const full = path.join(root, file);
    try {
      layerData(full, fs.readFileSync(full, "utf8"), fs.statSync(full), request);
      done += 1;
    } catch {}
  }
  for (const manifest of request.manifests) renumber(path.join(root, manifest), request.version);
  process.stdout.write(JSON.stringify({ layered: done }));
}

/** Lets everything of a package be found, and keeps all that its manifest says; what it names and lacks is there, empty. */
function permit(file) {
  const stat = fs.statSync(file);
  const manifest = JSON.parse(fs.readFileSync(file, "utf8"));
  const beside = path.dirname(file);
  const targets = [];
  const collect = (one) => {
    if (typeof one === "string") targets.push(one);
    else if (one !== null && typeof one === "object") Object.values(one).forEach(collect);
  };
  for (const key of ["main", "module", "browser", "types", "typings", "bin", "exports"]) collect(manifest[key]);
  for (const target of targets) {
    const full = path.join(beside, target);
    if (target.includes("*") || target.startsWith("..") || !/\.\w+$/.test(target) || fs.existsSync(full)) continue;
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, "");
  }
  const { exports } = manifest;
  if (exports !== undefined && exports !== null) {
    const isMap = typeof exports === "object" && Object.keys(exports).some((key) => key.startsWith("."));
    const open = { ...(isMap ? exports : { ".": exports }) };
    for (const key of Object.keys(open)) if (open[key] === null) delete open[key];
    manifest.exports = { ...open, "./package.json": "./package.json", "./*": open["./*"] ?? "./*" };
  }
  changed(file, JSON.stringify(manifest, null, 2) + "\n", stat, stat.mode);
  return true;
}

function renumber(file, version) {
  try {
    const stat = fs.statSync(file);
    const text = fs.readFileSync(file, "utf8");
    changed(file, text.replace(/("version"\s*:\s*")[^"]*(")/, `$1${version}$2`), stat, stat.mode);
  } catch {}
}
