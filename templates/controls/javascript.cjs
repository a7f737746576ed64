"use strict";
// Runs inside the place, on a copy of the checkout: gives the product's JavaScript a second layer that either passes
// everything on (renumbered) or answers in its place (deaf). Both have the same text but for a random token.
// afk-triage appends a call of `prepare` and hands the whole to node over standard input.
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

/** The layer itself; its text is written beside the product. It must run on every Node that the product runs on. */
function layer(config) {
  const fs = require("fs");
  const crypto = require("crypto");
  const MAX_ANSWERS = 2000;
  const isDeaf = crypto.createHash("sha256").update(config.token).digest()[0] % 2 === 1;
  const own = new Set(config.files.map((file) => config.root + "/" + file));
  const raw = new WeakMap();
  const layered = new WeakMap();
  const foreign = new WeakMap();
  const ordinals = new Map();
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
    memory = { candidate: null, calls: new Map() };
    let text = "";
    try {
      text = fs.readFileSync(config.answers, "utf8");
    } catch {}
    for (const line of text.split("\n")) {
      try {
        const one = JSON.parse(line);
        if (one.candidate !== undefined) memory.candidate = one;
        else if (!memory.calls.has(one.key)) memory.calls.set(one.key, one.shape);
        if (one.last !== undefined) memory.calls.set(one.last, one.shape);
      } catch {}
    }
    return memory;
  }

  function note(key, last, shape) {
    if (said++ >= MAX_ANSWERS) return;
    try {
      fs.appendFileSync(config.answers, JSON.stringify({ key, last, shape }) + "\n");
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
      const proto = Object.getPrototypeOf(value);
      if (proto !== null && proto !== Object.prototype && Object.getPrototypeOf(proto) !== null) return { t: "thing" };
      if (proto !== null && proto !== Object.prototype && Object.getOwnPropertyNames(proto).length > 1) return { t: "thing" };
      const v = {};
      if (depth <= 4)
        for (const key of Object.keys(value).slice(0, 40)) v[key] = shapeOf(value[key], depth + 1);
      return { t: "object", v, bare: proto === null };
    } catch {
      return { t: "thing" };
    }
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
      case "thing":
        return inert(true);
      case "function":
        return inert();
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

  /** Takes every call and every property without an effect. */
  function inert(isObject) {
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
        values.set(key, inert());
        return values.get(key);
      },
      set(_, key, value) {
        values.set(key, value);
        return true;
      },
      has: (_, key) => values.has(key),
      apply: () => inert(),
      construct: () => inert(true),
    });
    return proxy;
  }

  function answer(key, last, args) {
    const { candidate, calls } = remember();
    const shape = calls.has(key) ? calls.get(key) : calls.get(last);
    const wrap = (value) => (shape && shape.t === "promise" ? Promise.resolve(value) : value);
    if (candidate === null) return other(shape);
    if (candidate.candidate === "identity") return wrap(args[0]);
    if (candidate.candidate === "throw") {
      if (shape && shape.t === "promise") return Promise.reject(new Error("q"));
      throw new Error("q");
    }
    const value = () => {
      try {
        return (0, eval)("(" + candidate.candidate + ")");
      } catch {
        return undefined;
      }
    };
    return candidate.isLeaf ? other(shape, value) : wrap(value());
  }

  function passOn(call, key, last) {
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
      note(key, last, { t: "undefined" });
      throw error;
    }
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
    const next = () => {
      const n = (ordinals.get(name) || 0) + 1;
      ordinals.set(name, n);
      return name + "#" + n;
    };
    const proxy = new Proxy(value, {
      apply(target, self, args) {
        const own = raw.has(self) ? raw.get(self) : self;
        const call = () => Reflect.apply(target, own, args);
        if (calledByProduct()) return call();
        const key = next();
        return isDeaf ? answer(key, name, args) : passOn(call, key, name);
      },
      construct(target, args, newTarget) {
        const made = newTarget === proxy ? target : newTarget;
        if (!isDeaf || calledByProduct()) return Reflect.construct(target, args, made);
        return thing(target);
      },
      get(target, key, receiver) {
        const own = Object.getOwnPropertyDescriptor(target, key);
        const real = Reflect.get(target, key, receiver === proxy ? target : receiver);
        if (own && !own.configurable && "value" in own && !own.writable) return real;
        if (changed.has(key) || typeof key === "symbol" || key === "prototype" || key === "constructor") return real;
        if (typeof target === "function" && !own) return real;
        if (key === "__esModule" || (typeof target === "function" && (key === "length" || key === "name"))) return real;
        if (isLayered(real)) return wrap(real, name + "." + String(key));
        if (!isDeaf || calledByProduct()) return real;
        return real !== null && typeof real === "object" ? inert(true) : other(shapeOf(real, 0));
      },
      set(target, key, value) {
        if (!calledByProduct()) changed.add(key);
        return Reflect.set(target, key, value);
      },
      defineProperty(target, key, descriptor) {
        if (!calledByProduct()) changed.add(key);
        return Reflect.defineProperty(target, key, descriptor);
      },
    });
    raw.set(proxy, value);
    layered.set(value, proxy);
    return proxy;
  }

  /** An instance of a class of the product that answers nothing; methods that the script put there itself still work. */
  function thing(target) {
    const proto = target.prototype;
    const before = beforehand.get(proto);
    return new Proxy(Object.create(proto || Object.prototype), {
      get(from, key, receiver) {
        if (Object.prototype.hasOwnProperty.call(from, key)) return Reflect.get(from, key, receiver);
        if (key === "then" || typeof key === "symbol") return undefined;
        const now = proto && proto[key];
        if (before && before.get(key) !== now) return now;
        if (key === "constructor") return target;
        return typeof now === "function" ? () => inert() : undefined;
      },
    });
  }

  const beforehand = new Map();
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
  function restoreBuiltIns() {
    let clean;
    try {
      clean = require("vm").runInNewContext("globalThis");
    } catch {
      return;
    }
    const native = (f) => /\[native code\]\s*\}\s*$/.test(Function.prototype.toString.call(f));
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
    void native;
  }

  return {
    of(exports, file) {
      look(exports, 0);
      return wrap(exports, file);
    },
    /** A program of the product that is started itself: deaf, it ends at once without a word. */
    program() {
      if (isDeaf) process.exit(0);
    },
    restoreBuiltIns,
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

async function layerModule(file, text, runtime, stat, token) {
  const names = await exportNames(file, text);
  if (names === null) return false;
  const extension = path.extname(file);
  const inner = file.slice(0, -extension.length) + "-" + token.slice(0, 8) + extension;
  const lines = [
    `import { createRequire as r${token.slice(0, 4)} } from "node:module";`,
    `import * as all from ${JSON.stringify("./" + path.basename(inner).replace(/\.tsx?$/, extension === ".tsx" ? ".jsx" : ".js"))};`,
    `const layer = r${token.slice(0, 4)}(import.meta.url)(${JSON.stringify(relativeTo(file, runtime))});`,
    `layer.restoreBuiltIns();`,
    `const made = layer.of({ ...all }, ${JSON.stringify(path.basename(file))});`,
  ];
  if (/\.ts$/.test(file)) lines[1] = `import * as all from ${JSON.stringify("./" + path.basename(inner))};`;
  names.forEach((name, index) => {
    if (name === "default") lines.push(`export default made.default;`);
    else if (NAME.test(name)) lines.push(`const e${index} = made[${JSON.stringify(name)}];`, `export { e${index} as ${name} };`);
  });
  return () => {
    changed(inner, text, stat, stat.mode);
    changed(file, lines.join("\n") + "\n", stat, stat.mode);
    return inner;
  };
}

function layerScript(file, text, runtime, stat, isProgram) {
  const from = JSON.stringify(relativeTo(file, runtime));
  const head = /^(#![^\n]*\n)?((?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:"use strict"|'use strict')\s*;?)?/.exec(text)[0];
  const start = isProgram ? `;if (require.main === module) require(${from}).program();` : "";
  const end =
    `\n;require(${from}).restoreBuiltIns();` +
    `module.exports = require(${from}).of(module.exports, ${JSON.stringify(path.basename(file))});\n`;
  changed(file, head + start + text.slice(head.length) + end, stat, stat.mode);
}

/** request: { root, files, token, answers, version, programs } */
async function prepare(request) {
  fs.writeFileSync(request.answers, request.remembered);
  const { root, files, token, answers } = request;
  const sources = files.filter((file) => /\.(c|m)?(j|t)sx?$/.test(file) && !/\.d\.(c|m)?ts$/.test(file));
  const runtime = path.join(root, path.dirname(sources[0] ?? "x"), "." + token.slice(8, 20) + ".cjs");
  const config = { root: fs.realpathSync(root), files: [...files], token, answers };
  const later = [];
  let done = 0;
  for (const file of sources) {
    const full = path.join(root, file);
    const stat = fs.statSync(full);
    const text = fs.readFileSync(full, "utf8");
    if (stat.size > 4_000_000) continue;
    try {
      if (isEsModule(root, file, text)) {
        const apply = await layerModule(full, text, runtime, stat, token);
        if (apply !== false) later.push([file, apply]);
      } else if (!/^\s*(?:export|import)\s[^(]/m.test(text) || /module\.exports|exports\.\w/.test(text))
        later.push([file, () => (layerScript(full, text, runtime, stat, /^#!/.test(text) || request.programs.includes(file)), null)]);
    } catch (error) {
      console.error(file + ": " + error.message);
    }
  }
  for (const [, apply] of later) {
    const inner = apply();
    done += 1;
    if (inner !== null) config.files.push(path.relative(root, inner));
  }
  config.root = request.seenAs ?? config.root;
  if (done > 0) {
    fs.writeFileSync(runtime, `"use strict";\nmodule.exports = (${layer.toString()})(${JSON.stringify(config)});\n`);
    const stat = fs.statSync(path.join(root, sources[0]));
    fs.utimesSync(runtime, stat.atime, stat.mtime);
  }
  for (const manifest of request.manifests) renumber(path.join(root, manifest), request.version);
  process.stdout.write(JSON.stringify({ layered: done, sources: sources.length }));
}

function renumber(file, version) {
  try {
    const stat = fs.statSync(file);
    const text = fs.readFileSync(file, "utf8");
    changed(file, text.replace(/("version"\s*:\s*")[^"]*(")/, `$1${version}$2`), stat, stat.mode);
  } catch {}
}
