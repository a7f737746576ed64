import { Command } from "commander";

/**
 * Placeholder for a command that was not requested: declaring its options would take longer than running the requested command.
 */
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
