import { buildIndex, searchIndex } from "./duplicate-rows.ts";

// The measured process, bundled like the published program: `build PATH ISSUES` or `search PATH QUERIES`.
const [work = "", path = "", count = "0"] = process.argv.slice(2);
const figures =
  work === "build" ? await buildIndex(path, Number(count)) : await searchIndex(path, Number(count));
process.stdout.write(JSON.stringify(figures));
