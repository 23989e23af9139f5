import { secretKeys } from '../credentials.ts';
import { ConnectorError, isConnectorError } from '../errors.ts';
import type { HostConnection } from './connection.ts';
import { codeOfError } from './error-code.ts';
import { fieldTitle } from './fill-template.ts';
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
      throw new ConnectorError('config', `"${fieldTitle(credentials, field)}" is empty.`, {
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
