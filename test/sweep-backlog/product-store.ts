import { access, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Product } from "./backlog.ts";

export interface HistoryBuilder {
  /** Creates the git repository of all versions of a product's history; `directory` must not exist. */
  build: (product: Product, directory: string) => Promise<unknown>;
  /** Creates a repository that ends at the product's last version, from that of the whole history. */
  cut: (history: string, upTo: string, directory: string) => Promise<void>;
}

/**
 * Returns a function that returns the git repository of a product, below `root`. Each history is built once, and each product is
 * cut from it. A repository that an earlier process finished is reused; a half-built history is not.
 */
export function openProductStore(
  root: string,
  { build, cut }: HistoryBuilder,
): (product: Product) => Promise<string> {
  return async (product) => {
    const directory = join(root, "products", product.repo);
    if (await exists(directory)) return directory;
    const history = join(root, "histories", product.history);
    if (!(await exists(history))) {
      const partial = `${history}.partial`;
      await rm(partial, { recursive: true, force: true });
      await mkdir(dirname(history), { recursive: true });
      await build(product, partial);
      await rename(partial, history);
    }
    await cut(history, product.upTo, directory);
    return directory;
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
