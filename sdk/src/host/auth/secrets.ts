import type { Json, Log } from '../../context.ts';
import { secretKeys } from '../../credentials.ts';
import { ConnectorError, isConnectorError } from '../../errors.ts';
import type { HostConnection } from '../connection.ts';
import { fieldTitle } from '../egress/roots.ts';
import { codeOfError } from '../http/read-body.ts';
import { createSecretMask, type SecretMask } from './secret-mask.ts';

/** The secrets of one connection. What was read once is masked from then on. */
export interface Secrets {
  readonly mask: SecretMask;
  /** Always the present value. @throws ConnectorError config, where there is none */
  need(field: string): Promise<string>;
  /** Makes the mask know them all. */
  learnAll(): Promise<void>;
}

export function secretsOf(connection: HostConnection): Secrets {
  const { credentials } = connection.connector;
  const mask = createSecretMask();
  let all: Promise<unknown> | undefined;
  const read = async (field: string): Promise<string | undefined> => {
    const value = await readSecret(connection, field);
    if (value !== undefined) for (const form of [value, value.trim()]) mask.add(form);
    return value;
  };
  return {
    mask,
    need: async (field) => {
      const value = await read(field);
      if (value !== undefined && value.trim() !== '') return value;
      const title = fieldTitle(credentials, field);
      throw new ConnectorError('config', `The field "${title}" is empty.`, {
        help: 'Fill in the field.',
      });
    },
    learnAll: async () => {
      const fields: string[] = secretKeys(credentials);
      all ??= Promise.all(fields.map(read));
      await all.catch((error: unknown) => {
        all = undefined;
        throw error;
      });
    },
  };
}

/** A vault that does not open is no crash of the connector's code. */
async function readSecret(connection: HostConnection, field: string): Promise<string | undefined> {
  try {
    return await connection.secret(field);
  } catch (error) {
    if (isConnectorError(error)) throw error;
    throw new ConnectorError('unreachable', 'The stored secrets could not be read just now.', {
      cause: new Error(codeOfError(error)),
    });
  }
}

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
        // no text: a line of the log
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
