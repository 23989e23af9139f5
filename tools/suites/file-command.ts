import path from 'node:path';
import type { CommandReport } from '@breakwater/host-server/backup/operator-commands.ts';
import { type Config, readConfig } from '@breakwater/host-server/config.ts';
import { createLogger } from '@breakwater/host-server/logger.ts';

interface FileCommand {
  usage: string;
  /** Those that the command takes. */
  flags: readonly string[];
  run(input: {
    config: Config;
    log: ReturnType<typeof createLogger>;
    file: string;
    /** Those that were given, with what stands after `=`. */
    flags: ReadonlyMap<string, string>;
  }): Promise<CommandReport>;
}

/** npm runs scripts in the folder of the project; people name files as from where they stand. */
const whereCalled = (): string => process.env['INIT_CWD'] ?? process.cwd();

const readFlag = (argument: string): [string, string] => {
  const at = argument.indexOf('=');
  return at === -1 ? [argument, ''] : [argument.slice(0, at), argument.slice(at + 1)];
};

/** A command of an operator on one file: prints what was done, or in words why not. Exits 1 where something has to be looked at. */
export const runFileCommand = async ({ usage, flags, run }: FileCommand): Promise<void> => {
  const given = process.argv.slice(2);
  const [name, ...others] = given.filter((argument) => !argument.startsWith('--'));
  const chosen = new Map(given.filter((argument) => argument.startsWith('--')).map(readFlag));
  if (name === undefined || others.length > 0 || ![...chosen.keys()].every((flag) => flags.includes(flag))) {
    process.stderr.write(usage);
    process.exit(2);
  }
  try {
    const file = path.resolve(whereCalled(), name);
    const report = await run({ config: readConfig(), log: createLogger('error'), file, flags: chosen });
    process.stdout.write(`${report.lines.join('\n')}\n`);
    if (report.isSuspicious) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
};
