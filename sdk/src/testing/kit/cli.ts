import { parseArgs } from 'node:util';
import { buildCommand, checkBuildCommand } from './commands/build.ts';
import {
  type Command,
  type CommandInput,
  type CommandOutcome,
  type CommandSurroundings,
  UsageError,
} from './commands/command.ts';
import { CommandError } from './commands/command-error.ts';
import { devCommand } from './commands/dev.ts';
import { recordCommand } from './commands/record.ts';
import { testCommand } from './commands/test.ts';
import { UnreadablePlugin } from './load-plugin.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  test: testCommand,
  dev: devCommand,
  record: recordCommand,
  build: buildCommand,
  'check-build': checkBuildCommand,
};

const USAGE = `Usage: breakwater-connector <command> [folder] [options]

${Object.values(COMMANDS)
  .map(({ usage }) => usage)
  .join('\n')}
Ends with 0 when it did what was asked, with 1 when not, with 2 when called wrongly.
`;

/** Runs the command line of the kit. Ends the process. */
export async function runCommandLine(args: readonly string[], surroundings: CommandSurroundings): Promise<never> {
  const [name = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return exitWith(USAGE);
  const { values, positionals } = readArguments(rest, command);
  const [folder = '.', ...more] = positionals;
  if (more.length > 0) exitWith(USAGE);
  const { text, isReached } = await outcomeOf(command, { ...surroundings, folder, values });
  await new Promise((resolve) => process.stdout.write(`${text}\n`, resolve));
  // A connector that still waits for something must not keep the kit from ending.
  process.exit(isReached ? 0 : 1);
}

async function outcomeOf(command: Command, input: CommandInput): Promise<CommandOutcome> {
  try {
    return await command.run(input);
  } catch (error) {
    if (error instanceof UsageError) return exitWith(`${error.message}\n\n${USAGE}`);
    if (!(error instanceof CommandError || error instanceof UnreadablePlugin)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function readArguments(args: readonly string[], { options }: Command) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    return exitWith(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

function exitWith(text: string): never {
  process.stderr.write(text);
  process.exit(2);
}
