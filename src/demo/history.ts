export interface ProductCommit {
  /** ISO 8601 with time zone. It is fixed, so that every generated repository has the same hashes. */
  date: string;
  author: string;
  email: string;
  message: string;
  /** Files of the template that this commit adds. Every file of the template is in exactly one commit. */
  paths: readonly string[];
}

const mira = { author: "Mira Okafor", email: "mira@tidytext.example" };
const jonas = { author: "Jonas Lindqvist", email: "jonas@tidytext.example" };

/** The commits that create the demo's product. */
export const productHistory: readonly ProductCommit[] = [
  {
    ...mira,
    date: "2024-01-15T09:12:00+01:00",
    message: "Start with slugify",
    paths: ["package.json", "LICENSE", "src/slug.js", "test/slug.test.js"],
  },
  {
    ...mira,
    date: "2024-02-02T17:40:00+01:00",
    message: "Add parseDuration and truncate",
    paths: ["src/duration.js", "test/duration.test.js", "src/truncate.js", "test/truncate.test.js"],
  },
  {
    ...jonas,
    date: "2024-04-21T11:05:00+02:00",
    message: "Split lines of CSV",
    paths: ["src/csv.js", "test/csv.test.js"],
  },
  {
    ...mira,
    date: "2024-05-02T20:30:00+02:00",
    message: "Write down what is out of scope",
    paths: [".out-of-scope/localised-duration-units.md", ".out-of-scope/streaming-csv-parser.md"],
  },
  {
    ...jonas,
    date: "2024-09-08T14:22:00+02:00",
    message: "Add a least-recently-used cache",
    paths: ["src/cache.js", "test/cache.test.js"],
  },
  {
    ...jonas,
    date: "2025-01-19T16:48:00+01:00",
    message: "Keep a program from writing the same file twice at once",
    paths: ["src/lock.js", "test/lock.test.js"],
  },
  {
    ...mira,
    date: "2025-01-20T08:15:00+01:00",
    message: "Release 1.4.0",
    paths: ["README.md", "CHANGELOG.md", "src/index.js"],
  },
];
