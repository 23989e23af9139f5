import { createKeyRing } from '@breakwater/core/platform/server/key-ring.ts';
import type { Logger } from 'pino';
import { listRollupDifferences, withDatabase } from '../admin.ts';
import type { Config } from '../config.ts';
import { withOwner } from '../open-database.ts';
import { findOrganization } from '../organizations.ts';
import { findSecretKeys, storeSecretKeys } from '../secret-keys.ts';
import type { BackupHeader } from './backup-file.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

/** What an operator's command did, line by line. */
export interface CommandReport {
  lines: string[];
  /** The work was done, but something has to be looked at. */
  isSuspicious: boolean;
}

const count = (number: number, what: string): string => `${number.toLocaleString('en')} ${what}`;
const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

const keysOf = async (config: Config): Promise<readonly Buffer[] | undefined> =>
  config.secretKeys ?? (await findSecretKeys(config.dataDirectory));

/** `npm run backup`: writes the file and says what is in it, and what is not. */
export const backUp = async (
  config: Config,
  log: Logger,
  { file, includesKeys, organization }: { file: string; includesKeys: boolean; organization?: string | undefined },
): Promise<CommandReport> => {
  const secretKeys = includesKeys ? await keysOf(config) : undefined;
  if (includesKeys && secretKeys === undefined)
    throw new Error('There is no key to include: neither BREAKWATER_SECRET_KEY nor secret.key in the data folder.');
  const result = await withOwner(config, log, async (url) => {
    const clientId = organization === undefined ? undefined : (await findOrganization(url, organization)).id;
    return writeBackup({ url, file, secretKeys, clientId });
  });
  const { tables, rows, jobs, bytes } = result;
  const lines = [
    `Wrote ${file} (${megabytes(bytes)}): ${count(rows, 'rows')} of ${count(tables, 'tables')}, ${count(jobs, 'waiting jobs')}. It was read back and is whole.`,
  ];
  const apart =
    config.secretKeys === undefined
      ? `secret.key of ${config.dataDirectory}`
      : 'the value of BREAKWATER_SECRET_KEY, which you set';
  lines.push(
    includesKeys
      ? 'The key that opens stored secrets is in it: keep the file as safe as the key itself.'
      : `The key that opens stored secrets is not in it: keep ${apart} apart from the backup. Without it the secrets of connectors have to be entered again.`,
  );
  return { lines, isSuspicious: false };
};

/** Which of the keys that sealed the secrets are here. */
const reportKeys = async (config: Config, { keyIds, secretKeys }: BackupHeader): Promise<CommandReport> => {
  const lines: string[] = [];
  if (secretKeys !== undefined && (await keysOf(config)) === undefined) {
    await storeSecretKeys(config.dataDirectory, secretKeys);
    lines.push(`The key that opens stored secrets was in the backup and now lies in ${config.dataDirectory}.`);
  }
  const keys = await keysOf(config);
  const ring = keys === undefined ? undefined : createKeyRing(keys);
  const missing = keyIds.filter((id) => ring?.find(id) === undefined);
  if (missing.length === 0) return { lines, isSuspicious: false };
  lines.push(
    `Stored secrets cannot be opened yet: they were sealed by the key ${missing.join(', ')}, which is not here. ` +
      `Before you start, put the secret.key of the backed-up server into ${config.dataDirectory}, or its value into BREAKWATER_SECRET_KEY.`,
  );
  return { lines, isSuspicious: true };
};

/** `npm run restore`: fills an empty database and compares what it holds with what the backup said and with itself. */
export const restore = (config: Config, log: Logger, file: string): Promise<CommandReport> =>
  withOwner(config, log, async (url) => {
    const { header, rows, tables, jobs } = await restoreBackup({ url, file });
    const differences = await withDatabase({ ...config, databaseUrl: url }, log, listRollupDifferences);
    const keys = await reportKeys(config, header);
    const lines = [
      `Restored the backup of ${header.createdAt}: ${count(rows, 'rows')} of ${count(tables, 'tables')}, ${count(jobs, 'waiting jobs')}.`,
      ...(differences.length === 0 ? ['All counts equal the findings.'] : differences),
      ...keys.lines,
    ];
    if (differences.length > 0)
      lines.push('These counts differ from the findings. npm run admin -- rebuild-rollups makes them right.');
    return { lines, isSuspicious: differences.length > 0 || keys.isSuspicious };
  });
