import { createCipheriv } from "node:crypto";
import type { LayerConfig } from "../layer-config.ts";

const SEALED_BYTES = 256 * 1024;

/** The text of the layer's modules, bundled. */
declare const LAYER: string;

/** Returns the text of the file that holds the layer. */
export function layerFile(config: LayerConfig, token: string): string {
  const variables = `token = ${JSON.stringify(token)}, sealed = ${JSON.stringify(seal(config, token))}`;
  return `"use strict";\nconst ${variables};\n${LAYER}`;
}

/** Encrypts to the same size whatever the content. What was remembered last is cut if there is not enough room. */
function seal(config: LayerConfig, token: string): string {
  const room = SEALED_BYTES - sizeOf({ ...config, remembered: "" }) - 1024;
  let { remembered } = config;
  while (remembered !== "" && sizeOf(remembered) > room)
    remembered = remembered.slice(0, Math.floor(remembered.length * 0.8));
  const text = Buffer.from(JSON.stringify({ ...config, remembered }));
  const padded = Buffer.concat([text, Buffer.alloc(Math.max(0, SEALED_BYTES - text.length), 32)]);
  const cipher = createCipheriv("aes-128-ctr", Buffer.from(token, "hex"), Buffer.alloc(16));
  return cipher.update(padded).toString("base64");
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
