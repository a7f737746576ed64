import { createDecipheriv } from "node:crypto";
import type { LayerConfig } from "../layer-config.ts";

/** Both are defined by the file that contains the layer (prepare/seal.ts). */
declare const token: string;
declare const sealed: string;

const cipher = createDecipheriv("aes-128-ctr", Buffer.from(token, "hex"), Buffer.alloc(16));
export const config = JSON.parse(cipher.update(Buffer.from(sealed, "base64")).toString()) as LayerConfig;
export const { isDeaf, isListening, recordsArguments, candidate } = config;
/** The absolute paths of the product's files. */
export const own: ReadonlySet<string> = new Set(config.files.map((file) => `${config.root}/${file}`));
