import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes a report's files and counts them. */
export class ReportFiles {
  readonly #directory: string;
  count = 0;
  bytes = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    const path = join(this.#directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    this.count += 1;
    this.bytes += Buffer.byteLength(content);
  }

  /**
   * Writes the document as a classic script, because module scripts and fetch do not work from file://. JSON is a valid
   * JavaScript expression.
   */
  async writeData(name: string, document: object): Promise<void> {
    await this.write(name, `afkTriageReport(${JSON.stringify(document)});\n`);
  }
}
