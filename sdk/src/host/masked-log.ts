import type { Json, Log } from '../context.ts';
import type { SecretMask } from './secret-mask.ts';
import type { Secrets } from './secrets.ts';

type Level = keyof Log;
type Facts = Readonly<Record<string, Json>>;

/** What code writes beyond is no log. */
const LONGEST_MESSAGE = 2_000;
const LONGEST_FACTS = 16_000;

/** A log in which no secret of the connection stands. A line waits until all of them are known; the order stays. */
export function maskedLog(log: Log, secrets: Secrets): Log {
  let before: Promise<void> = Promise.resolve();
  const write = (level: Level, message: string, facts?: Facts): void => {
    // A copy: the code may change the object before the line is written.
    const copy = facts === undefined ? undefined : copyOf(facts);
    before = before
      .then(secrets.learnAll)
      // What cannot be masked is not said.
      .then(
        () => log[level](...maskedLine(secrets.mask, String(message), copy)),
        () => log[level]('A line was left out: the secrets to mask could not be read.'),
      )
      .catch(() => undefined);
  };
  return {
    debug: (message, facts) => write('debug', message, facts),
    info: (message, facts) => write('info', message, facts),
    warn: (message, facts) => write('warn', message, facts),
  };
}

function copyOf(facts: Facts): Facts {
  try {
    return JSON.parse(JSON.stringify(facts)) ?? {};
  } catch {
    return { left_out: 'facts that are no JSON' };
  }
}

/** Masked before it is cut: half a secret is one too. */
function maskedLine(mask: SecretMask, message: string, facts: Facts | undefined): [string, Facts?] {
  const text = mask.text(message).slice(0, LONGEST_MESSAGE);
  if (facts === undefined) return [text];
  const masked = mask.facts(facts);
  return [text, JSON.stringify(masked).length > LONGEST_FACTS ? { left_out: 'facts that are too long' } : masked];
}
