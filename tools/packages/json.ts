import { readFile, writeFile } from 'node:fs/promises';

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object at a key; empty where there is none. */
export const fieldsAt = (fields: Fields, key: string): Fields => {
  const value = fields[key];
  return isFields(value) ? value : {};
};

export const readJson = async (file: string): Promise<Fields> => {
  const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!isFields(parsed)) throw new Error(`${file} holds no JSON object`);
  return parsed;
};

export const writeJson = (file: string, content: unknown): Promise<void> =>
  writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
