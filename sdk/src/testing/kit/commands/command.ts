import type { Ask, Environment } from '../record/form-values.ts';

/** What a command is given besides its arguments. */
export interface CommandSurroundings {
  readonly environment: Environment;
  /** Left out: nobody sits in front of it. */
  readonly ask?: Ask | undefined;
}

/** Values of the options and the folder that a command works on. */
export interface CommandInput extends CommandSurroundings {
  readonly folder: string;
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
}

/** What a command came to: what is printed, and whether it reached what was asked. */
export interface CommandOutcome {
  readonly text: string;
  readonly isReached: boolean;
}

/** One command of `breakwater-connector`. */
export interface Command {
  /** Lines of the help, the first with the arguments. */
  readonly usage: string;
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;
  /** @throws CommandError, where it cannot go on */
  run(input: CommandInput): Promise<CommandOutcome>;
}

/** An option has a value that the command does not know. */
export class UsageError extends Error {}
