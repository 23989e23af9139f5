import {
  answerJson,
  ConnectorError,
  type Ctx,
  type HttpAnswer,
  type HttpRequest,
  isConnectorError,
  type Json,
  readAnswer,
} from '@breakwater/sdk';
import type { GitlabForm } from '../plugin.ts';
import { ErrorMessage, InsufficientScope } from './answers.ts';

export type GitlabCtx = Ctx<GitlabForm>;

/** 100 is GitLab's largest page (specification §9). */
export const PAGE = { per_page: 100 } as const;

/** What GitLab says to a write that it will not do: invalid, unknown, not allowed, in conflict, unprocessable. */
const REFUSALS = [400, 404, 405, 409, 422] as const;
const DEVELOPER = 'the role Developer';
const LONGEST_WORDS = 300;

/** Below the project, by its id or by its whole path `group/subgroup/project`. */
export function projectPath(repository: string, rest = ''): string {
  return `/projects/${encodeURIComponent(repository)}${rest}`;
}

/** Hash, branch or path of a file as one segment of an address. */
export const segment = (text: string): string => encodeURIComponent(text.toWellFormed());

/**
 * Sends a write. @throws ConnectorError `scope` with what to grant where a right is missing; any other refusal is an answer, for `answered`
 */
export async function write({ http }: GitlabCtx, request: HttpRequest, needs = DEVELOPER): Promise<HttpAnswer> {
  return granted(needs, () => http.request({ ...request, accept: REFUSALS }));
}

/** Requests that need a right which a write needs too. @throws ConnectorError `scope` with what to grant where it is missing */
export async function granted<T>(needs: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isConnectorError(error) || error.code !== 'scope') throw error;
    throw new ConnectorError('scope', error.message, {
      help: `The token needs the scope "api", and its user ${needs} in the project, which must not be archived.`,
    });
  }
}

/** The body of an answer to a write. @throws ConnectorError `config` with GitLab's own words, where something there stands in the way */
export function answered(answer: HttpAnswer, doing: string): Json {
  if (answer.status >= 200 && answer.status < 300) return answerJson(answer);
  const words = wordsOf(answer);
  throw new ConnectorError('config', `GitLab could not ${doing}.${words === '' ? '' : ` It says: "${words}"`}`);
}

/** What GitLab says of a refusal, in one line; empty where it says nothing that can be read. */
export function wordsOf(answer: HttpAnswer): string {
  const body = answerJson(answer);
  const said = readOr(ErrorMessage, body);
  const text = said === null ? '' : plain(said.message ?? said.error_description ?? said.error ?? null);
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS)}…` : line;
}

/** A message is a text, a list of texts, or texts by field: `{ name: ["is invalid"] }`. */
function plain(message: Json): string {
  if (message === null || typeof message === 'boolean') return '';
  if (typeof message !== 'object') return String(message);
  if (Array.isArray(message)) return message.map(plain).join(', ');
  return Object.entries(message)
    .map(([field, value]) => (field === 'base' ? plain(value) : `${field} ${plain(value)}`))
    .join(', ');
}

/** The scopes that GitLab names as missing, or null where it names none. Source: RFC 6750 section 3.1. */
export function missingScopes(body: Json): string | null {
  return readOr(InsufficientScope, body)?.scope?.split(' ').join(', ') ?? null;
}

function readOr<const S extends Parameters<typeof readAnswer>[0]>(schema: S, body: Json) {
  try {
    return readAnswer(schema, body);
  } catch (error) {
    if (isConnectorError(error)) return null;
    throw error;
  }
}
