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
  const MAX_ANSWERS = 2000;
  const opened = crypto.createDecipheriv("aes-128-ctr", Buffer.from(token, "hex"), Buffer.alloc(16));
  const config = JSON.parse(opened.update(Buffer.from(sealed, "base64")).toString());
  const { isDeaf, candidate, listens } = config;
  const own = new Set(config.files.map((file) => config.root + "/" + file));
  const raw = new WeakMap();
  const layered = new WeakMap();
  const foreign = new WeakMap();
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

  /** Whether the code that called through the layer belongs to the product: to itself a product is never deaf. */
  function calledByProduct() {
    const { prepareStackTrace, stackTraceLimit } = Error;
    Error.prepareStackTrace = (_, sites) => sites;
    Error.stackTraceLimit = 12;
    const sites = new Error().stack;
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
    if (!Array.isArray(sites)) return false;
    for (const site of sites) {
      let name = site.getFileName && site.getFileName();
      if (!name || name === __filename || name.startsWith("node:internal/modules")) continue;
      if (name.startsWith("node:")) continue;
      if (name.startsWith("file://")) name = require("url").fileURLToPath(name);
      return own.has(name);
    }
    return false;
  }

  function remember() {
    if (memory !== null) return memory;
    memory = new Map();
    for (const line of config.remembered.split("\n"))
      try {
        const one = JSON.parse(line);
        if (one.key !== undefined && !memory.has(one.key)) memory.set(one.key, one.shape);
        if (one.last !== undefined) memory.set(one.last, one.shape);
      } catch {}
    return memory;
  }

  /** In both controls, so that the file of answers looks the same in both. */
  function note(key, last, shape) {
    if (said++ >= MAX_ANSWERS) return;
    try {
      fs.appendFileSync(config.answers, JSON.stringify({ key, last, shape }) + "\n");
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
        return { t: "number", v: Number.isFinite(value) ? value : 0 };
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
        return { t: "array", v: depth > 4 ? [] : value.slice(0, 40).map((one) => shapeOf(one, depth + 1)) };
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
      return isThing ? { t: "thing", v, methods: methodsOf(proto) } : { t: "object", v, bare: proto === null };
    } catch {
      return { t: "thing" };
    }
  }

  /** Names of methods of a class and what it extends; true: it answers with a promise. */
  function methodsOf(proto) {
    const methods = {};
    for (let one = proto; one && Object.getPrototypeOf(one) !== null; one = Object.getPrototypeOf(one))
      for (const key of Object.getOwnPropertyNames(one).slice(0, 100)) {
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
        return made;
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
    if (leaf) return leaf();
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

  /** Gives nothing, or one value. */
  function iterator(isAsync, leaf) {
    const values = leaf ? [leaf()] : [];
    return isAsync
      ? (async function* () {
          yield* values;
        })()
      : values[Symbol.iterator]();
  }

  /** An object with the methods and properties of another one. */
  function likeThing({ v, methods }, leaf) {
    const made = {};
    for (const key of Object.keys(v || {}))
      Object.defineProperty(made, key, { value: other(v[key], leaf), enumerable: true, writable: true, configurable: true });
    for (const key of Object.keys(methods || {})) {
      const silent = () => {
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
      apply: () => (leaf ? leaf() : inert()),
      construct: () => inert(true, leaf),
    });
    return proxy;
  }

  /** The value that a candidate stands for, made anew for each call. */
  function candidateValue(args) {
    if (candidate.candidate === "identity") return args[0];
    if (/^throw \w+$/.test(candidate.candidate)) {
      const Kind = globalThis[candidate.candidate.slice(6)];
      throw new (typeof Kind === "function" ? Kind : Error)(candidate.text || "q");
    }
    try {
      return (0, eval)("(" + candidate.candidate + ")");
    } catch {
      return undefined;
    }
  }

  /** A literal of another type than the answer, which the script does not compare with: it would please by chance. */
  function isOddOne(shape, make) {
    if (candidate.isWanted !== false || !shape || !["string", "number", "boolean", "array", "object"].includes(shape.t)) return false;
    return shapeOf(make(), 0).t !== shape.t;
  }

  function answer(key, last, args) {
    const calls = remember();
    const shape = calls.has(key) ? calls.get(key) : calls.get(last);
    note(key, last, shape);
    if (candidate === null) return other(shape);
    const make = () => candidateValue(args);
    if (candidate.isLeaf) return other(shape, make);
    if (isOddOne(shape, make)) return other(shape);
    if (!shape || shape.t !== "promise") return make();
    try {
      return Promise.resolve(make());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  function passOn(call, key, last, args) {
    hear(key, last, args);
    try {
      const result = call();
      if (result !== null && typeof result === "object" && typeof result.then === "function" && result instanceof Promise) {
        result.then(
          (value) => note(key, last, { t: "promise", v: shapeOf(value, 0) }),
          () => note(key, last, { t: "promise", v: { t: "undefined" } }),
        );
      } else note(key, last, shapeOf(result, 0));
      return result;
    } catch (error) {
      note(key, last, listens ? { t: "thrown", v: String(error && error.message).slice(0, 1000) } : { t: "undefined" });
      throw error;
    }
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
    const changed = new Set();
    foreign.set(value, changed);
    const target = loose(value);
    const proxy = new Proxy(target, {
      apply(_, self, args) {
        const own = raw.has(self) ? raw.get(self) : self;
        const call = () => Reflect.apply(value, own, args);
        if (calledByProduct()) return call();
        const key = next(name);
        if (said < 200) restoreBuiltIns();
        return isDeaf ? answer(key, name, args) : passOn(call, key, name, args);
      },
      construct(_, args, newTarget) {
        const made = newTarget === proxy ? value : newTarget;
        if (calledByProduct()) return Reflect.construct(value, args, made);
        if (isDeaf) return thing(value, name, made);
        const instance = Reflect.construct(value, args, made);
        listen(value.prototype, name);
        return instance;
      },
      get(_, key, receiver) {
        const own = Object.getOwnPropertyDescriptor(target, key);
        const real = Reflect.get(value, key, receiver === proxy ? value : receiver);
        if (own && !own.configurable && "value" in own && !own.writable) return real;
        if (changed.has(key) || typeof key === "symbol" || key === "prototype" || key === "constructor") return real;
        if (typeof value === "function" && !own) return real;
        if (key === "__esModule" || (typeof value === "function" && (key === "length" || key === "name"))) return real;
        if (isLayered(real)) return wrap(real, name + "." + String(key));
        if (!isDeaf || calledByProduct()) return real;
        const make = () => candidateValue([]);
        if (candidate !== null) return other(shapeOf(real, 0), make);
        return real !== null && typeof real === "object" ? inert(true) : other(shapeOf(real, 0));
      },
      set(_, key, given) {
        if (!calledByProduct()) changed.add(key);
        return Reflect.set(value, key, given);
      },
      defineProperty(_, key, descriptor) {
        if (!calledByProduct()) changed.add(key);
        return Reflect.defineProperty(value, key, descriptor);
      },
    });
    raw.set(proxy, value);
    layered.set(value, proxy);
    return proxy;
  }

  /** An instance of a class of the product that answers nothing; methods that the script put there itself still work. */
  function thing(target, name, made) {
    const proto = made.prototype;
    const before = beforehand.get(target.prototype);
    return new Proxy(Object.create(proto || Object.prototype), {
      get(from, key, receiver) {
        if (Object.prototype.hasOwnProperty.call(from, key)) return Reflect.get(from, key, receiver);
        if (key === "then" || typeof key === "symbol") return undefined;
        if (key === "constructor") return target;
        const found = inherited(proto, key);
        const now = found && found.value;
        if (now !== undefined && before && before.get(key) !== now) return now;
        const method = name + "." + key;
        if (typeof now === "function") return (...args) => answer(next(method), method, args);
        if (found) return answer(next(method), method, []);
        return candidate === null || candidate.isLeaf === false ? undefined : candidateValue([]);
      },
    });
  }

  const inherited = (proto, key) =>
    proto ? Object.getOwnPropertyDescriptor(proto, key) || inherited(Object.getPrototypeOf(proto), key) : undefined;

  /** Notes what the methods of a class answer to others than the product. */
  function listen(proto, name) {
    for (let one = proto; one && Object.getPrototypeOf(one) !== null && !heard.has(one); one = Object.getPrototypeOf(one)) {
      heard.add(one);
      if (!isOfProduct(one)) continue;
      for (const key of Object.getOwnPropertyNames(one)) {
        const found = Object.getOwnPropertyDescriptor(one, key);
        const before = beforehand.get(proto);
        if (!found.configurable || key === "constructor" || (before && "value" in found && before.get(key) !== found.value)) continue;
        const method = name + "." + key;
        const heardBy = (real) =>
          new Proxy(real, {
            apply(target, self, args) {
              const call = () => Reflect.apply(target, raw.has(self) ? raw.get(self) : self, args);
              return calledByProduct() ? call() : passOn(call, next(method), method, args);
            },
          });
        if (typeof found.value === "function") Object.defineProperty(one, key, { ...found, value: heardBy(found.value) });
        else if (found.get) Object.defineProperty(one, key, { ...found, get: heardBy(found.get) });
      }
    }
  }

  /** Not of the run time: its methods are everybody's. */
  const isOfProduct = (proto) => {
    const { constructor } = proto;
    if (typeof constructor !== "function") return true;
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

  /** What the script put in place of functions that every program shares is undone: the product must not be judged by it. */
  let clean = null;
  function restoreBuiltIns() {
    try {
      clean = clean || require("vm").runInNewContext("globalThis");
    } catch {
      return;
    }
    const toString = clean.Function.prototype.toString;
    for (const name of ["Object", "Array", "String", "Number", "RegExp", "JSON", "Map", "Set", "Symbol", "Boolean", "Reflect"])
      for (const [ours, theirs] of [
        [globalThis[name], clean[name]],
        [globalThis[name] && globalThis[name].prototype, clean[name].prototype],
      ]) {
        if (!ours || !theirs) continue;
        for (const key of Reflect.ownKeys(theirs)) {
          const good = Object.getOwnPropertyDescriptor(theirs, key);
          const now = Object.getOwnPropertyDescriptor(ours, key);
          if (typeof good.value !== "function" || key === "constructor") continue;
          const isNative = now && typeof now.value === "function" && /\[native code\]/.test(Reflect.apply(toString, now.value, []));
          if (!isNative)
            try {
              Object.defineProperty(ours, key, { ...good, configurable: true });
            } catch {}
        }
      }
  }

  return {
    of(exports, file) {
      note("loaded", undefined, { t: "undefined" });
      look(exports, 0);
      return wrap(exports, file);
    },
    /** A program of the product that is started itself: deaf, it ends at once, with a candidate as its output or exit code. */
    program() {
      note("program", undefined, { t: "object", v: {} });
      if (!isDeaf) return;
      const made = candidate === null || /^(?:throw|identity)/.test(candidate.candidate) ? "" : candidateValue([]);
      if (candidate !== null && candidate.isLeaf) process.exit(Number.isInteger(made) ? made & 255 : 1);
      if (made !== "") fs.writeSync(1, (typeof made === "string" ? made : JSON.stringify(made)) + "\n");
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
    ? [...start, ...program, `const made = layer.of({ ...all }, ${JSON.stringify(path.basename(file))});`]
    : loads
      ? [...start, `const made = layer.inert();`]
      : [
          start[0],
          `import * as all from ${beside};`,
          start[1],
          `layer.restoreBuiltIns();`,
          `const made = layer.of({ ...all }, ${JSON.stringify(path.basename(file))});`,
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
  const start = `;if (require.main === module) require(${from}).program();`;
  const end =
    `\n;require(${from}).restoreBuiltIns();` +
    `module["exports"] = require(${from}).of(module.exports, ${JSON.stringify(path.basename(file))});\n`;
  const whole = loads ? `${start}module.exports = require(${from}).inert();\n${commented(text)}` : head + start + text.slice(head.length) + end;
  changed(file, whole, stat, stat.mode);
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

/** request: { root, files, manifests, answers, programs, token, version, isDeaf, candidate, remembered, listens? } */
async function prepare(request) {
  const { root, files, token, answers, isDeaf, candidate, remembered } = request;
  fs.rmSync(answers, { force: true });
  if (candidate?.candidate === "manifest") {
    const done = request.manifests.filter((manifest) => permit(path.join(root, manifest))).length;
    process.stdout.write(JSON.stringify({ layered: done }));
    return;
  }
  const loads = candidate?.candidate === "loads";
  const sources = files.filter((file) => /\.(c|m)?(j|t)sx?$/.test(file) && !/\.d\.(c|m)?ts$/.test(file));
  const runtime = path.join(root, path.dirname(sources[0] ?? "x"), "." + token.slice(8, 20) + ".cjs");
  const listens = request.listens === true;
  const config = { root: fs.realpathSync(root), files: [...files], answers, isDeaf, candidate, remembered, listens };
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
  for (const [, apply] of later) {
    const inner = apply();
    done += 1;
    if (inner !== null) config.files.push(path.relative(root, inner));
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
