import type { AnyConnector } from '../connector.ts';
import { secretKeys } from '../credentials.ts';

/** What the code of a connector may see of its form: fields of the schema that are no secrets, with their defaults; a frozen copy. */
export function publicConfig(
  { credentials }: Pick<AnyConnector, 'credentials'>,
  config: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const secrets = new Set<string>(secretKeys(credentials));
  const entries = Object.entries(credentials.properties).flatMap(([name, field]): [string, unknown][] => {
    if (secrets.has(name)) return [];
    const stored = Object.hasOwn(config, name) ? config[name] : undefined;
    const value = stored ?? ('default' in field ? field.default : undefined);
    return value === undefined ? [] : [[name, deepFreeze(structuredClone(value))]];
  });
  return Object.freeze(Object.fromEntries(entries));
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
