import { Command } from "commander";

/** Stands for a command that was not asked for: telling its options apart would cost more than running the one that was. */
export class UnwantedCommand extends Command {
  override option(): this {
    return this;
  }

  override requiredOption(): this {
    return this;
  }

  override action(): this {
    return this;
  }
}
