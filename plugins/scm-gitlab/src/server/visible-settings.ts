import {
  type ConnectorErrorCode,
  isConnectorError,
  readAnswer,
  type Static,
  type TSchema,
  Type,
} from '@breakwater/sdk';
import { type GitlabCtx, PAGE } from './requests.ts';

/** GitLab's number of the role Developer. */
export const DEVELOPER = 30;

/** GitLab answers 403 or 404 to who may not see a setting, and 404 where the edition does not have it. */
const UNSEEN: readonly ConnectorErrorCode[] = ['scope', 'config'];
/** To who wants to change a setting, 403 says which right is missing. */
export const NOT_THERE: readonly ConnectorErrorCode[] = ['config'];

/** A setting, or undefined where the token may not see it or the edition does not have it. @throws ConnectorError of other codes */
export async function setting<const S extends TSchema>(
  { http }: GitlabCtx,
  path: string,
  schema: S,
  codes = UNSEEN,
): Promise<Static<S> | undefined> {
  return visible(async () => readAnswer(schema, await http.json({ path })), codes);
}

/** A list of settings, likewise. */
export async function settingRows<const S extends TSchema>(
  { http }: GitlabCtx,
  path: string,
  row: S,
  codes = UNSEEN,
): Promise<Static<S>[] | undefined> {
  const Rows = Type.Array(Type.Unsafe<Static<S>>(row));
  return visible(async () => {
    const rows: Static<S>[] = [];
    for await (const page of http.pages({ path, query: PAGE }, { type: 'link' })) rows.push(...readAnswer(Rows, page));
    return rows;
  }, codes);
}

async function visible<T>(read: () => Promise<T>, codes: readonly ConnectorErrorCode[]): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isConnectorError(error) && codes.includes(error.code)) return undefined;
    throw error;
  }
}

/** Whether a rule, in which `*` stands for any text, is about the branch. */
export function covers(rule: string, branch: string): boolean {
  const pattern = rule
    .split('*')
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`, 's').test(branch);
}
