import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, fieldsOf, listOf, numberOf, printable, textOf, UsageError } from './api.ts';

/** What a command works with. */
export interface Context {
  api: Api;
  /** Ends when the person interrupts, or the time is over. */
  signal: AbortSignal;
  /** Says on standard error how far it is. */
  progress: (text: string) => void;
}

/** What a command ends with. */
export interface Outcome {
  exitCode: number;
  /** For people, on standard output. */
  lines: readonly string[];
  /** The same for programs, with `--json`. */
  document: Readonly<Record<string, unknown>>;
}

export interface Repository {
  id: string;
  name: string;
  /** Its default branch; undefined where the server does not know one. */
  branch: string | undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PAGE_SIZE = 200;

const repositoryOf = (item: unknown): Repository => {
  const { _id, attributes } = fieldsOf(item);
  const { nickname, repository_branch } = fieldsOf(attributes);
  return { id: textOf(_id) ?? '', name: textOf(nickname) ?? '', branch: textOf(repository_branch) };
};

/** All items of a list, page by page. */
export async function* itemsOf(
  api: Api,
  path: string,
  query: Readonly<Record<string, string | readonly string[] | undefined>>,
): AsyncGenerator<unknown> {
  for (let page = 1; ; page += 1) {
    const answer = fieldsOf(
      await api.get(path, { ...query, 'pagination[page]': page, 'pagination[pageSize]': PAGE_SIZE }),
    );
    const items = listOf(answer.data);
    yield* items;
    if (items.length < PAGE_SIZE) return;
  }
}

/** The repository of an id or a name. @throws UsageError where no or more than one has the name */
export const findRepository = async (api: Api, named: string): Promise<Repository> => {
  if (UUID.test(named)) return repositoryOf(fieldsOf(await api.get(`/repositories/${named.toLowerCase()}`)).data);
  const found: Repository[] = [];
  for await (const item of itemsOf(api, '/repositories', { search: named })) {
    const repository = repositoryOf(item);
    if (repository.name.toLowerCase() === named.toLowerCase()) found.push(repository);
  }
  const exact = found.filter(({ name }) => name === named);
  const [only, ...others] = exact.length > 0 ? exact : found;
  if (only === undefined)
    throw new UsageError(`There is no repository “${named}”, or the token's organisation has none of that name.`);
  if (others.length > 0) {
    const ids = [only, ...others].map(({ id }) => id).join(', ');
    throw new UsageError(`${others.length + 1} repositories are named “${named}”. Name one by its id: ${ids}.`);
  }
  return only;
};

/** How far something on the server is. */
export interface Followed {
  isEnded: boolean;
  /** One line, said when it changes. */
  text: string;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 3000;

/** Asks again and again until it has ended, with growing pauses. */
export const follow = async <T extends Followed>({ signal, progress }: Context, read: () => Promise<T>): Promise<T> => {
  let said = '';
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const state = await read();
    if (state.text !== said) progress(`${state.text}\n`);
    said = state.text;
    if (state.isEnded) return state;
    await sleep(pauseMs, undefined, { signal });
  }
};

/** `parsing 40 %` of a scan or a request. */
export const stateOf = (attributes: Readonly<Record<string, unknown>>): { status: string; text: string } => {
  const status = textOf(attributes.status) ?? 'unknown';
  const percentage = numberOf(attributes.percentage);
  return { status, text: printable(percentage > 0 && percentage < 100 ? `${status} ${percentage} %` : status) };
};
