import { readFile } from 'node:fs/promises';
import { Api, EXIT, fieldsOf, ServerError, textOf, UsageError } from './api.ts';
import { type Command, readArguments } from './arguments.ts';
import type { Context, Outcome } from './context.ts';
import { gate } from './gate.ts';
import { scan } from './scan.ts';
import { upload } from './upload.ts';

/** What the program has of the machine that it runs on. */
export interface Machine {
  environment: Readonly<Record<string, string | undefined>>;
  /** Ends when the person interrupts. */
  signal: AbortSignal;
  /** Writes to standard output. */
  out: (text: string) => void;
  /** Writes to standard error. */
  progress: (text: string) => void;
}

type Work = Exclude<Command, { name: 'help' | 'version' }>;

const perform = (context: Context, command: Work): Promise<Outcome> => {
  if (command.name === 'upload') return upload(context, command);
  return command.name === 'gate' ? gate(context, command) : scan(context, command);
};

const versionOf = async (): Promise<string> => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return textOf(fieldsOf(JSON.parse(text)).version) ?? 'unknown';
};

const work = async (command: Work, { environment, signal, out, progress }: Machine): Promise<number> => {
  const timeout = AbortSignal.timeout(command.timeoutSeconds * 1000);
  const ending = AbortSignal.any([signal, timeout]);
  const fail = (exitCode: number, message: string): number => {
    if (command.isJson) out(`${JSON.stringify({ command: command.name, exit_code: exitCode, error: message })}\n`);
    progress(`breakwater: ${message}\n`);
    return exitCode;
  };
  try {
    const api = new Api({
      ...{ url: environment['BREAKWATER_URL'], token: environment['BREAKWATER_TOKEN'], signal: ending },
      onPause: (reason, pauseMs) => progress(`${reason} Next try in ${pauseMs / 1000} s.\n`),
    });
    const { exitCode, lines, document } = await perform({ api, signal: ending, progress }, command);
    const json = { command: command.name, exit_code: exitCode, ...document };
    out(command.isJson ? `${JSON.stringify(json, null, 2)}\n` : lines.map((line) => `${line}\n`).join(''));
    return exitCode;
  } catch (error) {
    if (signal.aborted) return fail(EXIT.refused, 'Interrupted. What the server has begun goes on.');
    if (timeout.aborted) {
      return fail(EXIT.refused, `The server did not finish within ${command.timeoutSeconds} seconds. It goes on.`);
    }
    if (error instanceof UsageError) return fail(EXIT.usage, error.message);
    if (error instanceof ServerError) return fail(EXIT.refused, error.message);
    throw error;
  }
};

/** Runs the program. @returns its exit code, one of `EXIT` */
export const run = async (args: readonly string[], machine: Machine): Promise<number> => {
  let command: Command;
  try {
    command = readArguments(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    machine.progress(`breakwater: ${error.message}\nbreakwater --help says how it is used.\n`);
    return EXIT.usage;
  }
  if (command.name === 'help') machine.out(command.text);
  else if (command.name === 'version') machine.out(`${await versionOf()}\n`);
  else return work(command, machine);
  return EXIT.ok;
};
