import type { Json, Log } from '../context.ts';
import type { Secrets } from './secrets.ts';

type Level = 'debug' | 'info' | 'warn';
type Facts = Readonly<Record<string, Json>>;

/** A log in which no secret of the connection stands. A line waits until all of them are known; the order stays. */
export function maskedLog(log: Log, secrets: Secrets): Log {
  let before: Promise<void> = Promise.resolve();
  const write = (level: Level, message: string, facts?: Facts): void => {
    // A copy: the code may change the object before the line is written.
    const copy = facts === undefined ? undefined : structuredClone(facts);
    before = before.then(secrets.learnAll).then(
      () => log[level](secrets.mask.text(message), ...(copy === undefined ? [] : [secrets.mask.facts(copy)])),
      // What cannot be masked is not said.
      () => log[level]('A line was left out: the secrets to mask could not be read.'),
    );
  };
  return {
    debug: (message, facts) => write('debug', message, facts),
    info: (message, facts) => write('info', message, facts),
    warn: (message, facts) => write('warn', message, facts),
  };
}
