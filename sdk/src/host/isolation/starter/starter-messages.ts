import type { ProcessEnd } from '../plugin-child.ts';
import type { ProcessSpec } from '../plugin-command.ts';

/** To the process that starts others. */
export type ToStarter =
  | {
      readonly t: 'start';
      readonly id: number;
      readonly spec: ProcessSpec;
      readonly socket: string;
      readonly key: string;
    }
  | { readonly t: 'runByTurns' | 'runFreely' | 'kill'; readonly id: number };

/** From it. */
export type FromStarter =
  | { readonly t: 'started'; readonly id: number; readonly pid: number }
  | { readonly t: 'failed'; readonly id: number; readonly message: string }
  | ({ readonly t: 'ended'; readonly id: number } & ProcessEnd);

/** Either standard input and output, or what is printed as errors. */
export type Part = 'main' | 'errors';

/** What a connection of a started process begins with, so that its host knows whose it is. Then nothing but what the process says. @param key nobody else has it */
export const greeting = (key: string, part: Part): string => `${key} ${part}\n`;

const GREETING = /^([0-9a-f]{32}) (main|errors)$/;

export const readGreeting = (line: string): { key: string; part: Part } | null => {
  const [, key, part] = GREETING.exec(line) ?? [];
  return key === undefined || (part !== 'main' && part !== 'errors') ? null : { key, part };
};
