import { CLOUDS, SOURCE_CONTROL_PLUGINS } from './connector-sections.ts';

/** What a key of `POST /api/connector` names. */
export type ConfigTarget =
  /** All clouds together; values are by cloud. */
  | { kind: 'clouds' }
  /** One connector, by id or address. */
  | { kind: 'connector'; connector: string }
  /** Plexalyzer tokens are made, not saved. */
  | { kind: 'tokens' }
  | { kind: 'unknown' };

const PLEXALYZER = new Set(['plexalyzer', 'plugins.plexalyzer', 'miscellaneous/plexalyzer']);

const among = (known: readonly string[], name: string): ConfigTarget =>
  known.includes(name) ? { kind: 'connector', connector: name } : { kind: 'unknown' };

/** Reads a connector key: `plugins.cloud`, `plugins.cloud.aws`, `plugins.github`, else an address or alias. Source: decisions.md "Wire shapes". */
export const readConfigKey = (key: string): ConfigTarget => {
  if (PLEXALYZER.has(key)) return { kind: 'tokens' };
  if (!key.startsWith('plugins.')) return { kind: 'connector', connector: key };
  const [, plugin = '', cloud, ...rest] = key.split('.');
  if (rest.length > 0) return { kind: 'unknown' };
  if (plugin !== 'cloud') return cloud === undefined ? among(SOURCE_CONTROL_PLUGINS, plugin) : { kind: 'unknown' };
  return cloud === undefined ? { kind: 'clouds' } : among(CLOUDS, cloud);
};
