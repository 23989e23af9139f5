import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const FILE = 'secret.key';

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Keys of the vault in the data folder, where there are any. @throws where the file is damaged. */
export const findSecretKeys = (dataDirectory: string): Promise<Buffer[] | undefined> =>
  readKeys(path.join(dataDirectory, FILE));

/** Puts keys that a backup holds into a data folder that has none. */
export const storeSecretKeys = async (dataDirectory: string, keys: readonly string[]): Promise<void> => {
  await mkdir(dataDirectory, { recursive: true });
  await writeFile(path.join(dataDirectory, FILE), `${keys.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
};

const readKeys = async (file: string): Promise<Buffer[] | undefined> => {
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0) await chmod(file, 0o600);
    const keys = (await readFile(file, 'utf8'))
      .split(/[\s,]+/)
      .filter((line) => line !== '')
      .map((line) => Buffer.from(line, 'base64'));
    if (keys.length > 0 && keys.every((key) => key.length === 32)) return keys;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  throw new Error(`${file} is damaged: it must hold one key of 32 bytes in base64 per line, the newest first.`);
};

/** Keys of the vault from `secret.key` in the data folder, readable by this user only; made at the first start. */
export const loadSecretKeys = async (dataDirectory: string): Promise<Buffer[]> => {
  const file = path.join(dataDirectory, FILE);
  const known = await readKeys(file);
  if (known !== undefined) return known;
  await mkdir(dataDirectory, { recursive: true });
  try {
    await writeFile(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // another process was first: its key counts
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return (await readKeys(file)) ?? [];
};
