import { EXIT, fieldsOf, listOf, printable, ServerError, textOf } from './api.ts';
import type { ScanCommand } from './arguments.ts';
import { type Context, findRepository, follow, type Outcome, stateOf } from './context.ts';

/** One scan that the server was asked for. */
interface Requested {
  id: string;
  /** `requested` where nobody waits. */
  status: string;
  /** Why it failed. */
  detail: string | null;
}

const ENDED = ['done', 'failed', 'cancelled'];

const followRequest = async (context: Context, id: string): Promise<Requested> => {
  const { attributes } = await follow(context, async () => {
    const read = fieldsOf(fieldsOf(fieldsOf(await context.api.get(`/scan_requests/${id}`)).data).attributes);
    const { status, text } = stateOf(read);
    return { isEnded: ENDED.includes(status), text: `scan ${id}: ${text}`, attributes: read };
  });
  const detail = textOf(attributes.detail);
  return { id, status: stateOf(attributes).status, detail: detail === undefined ? null : printable(detail) };
};

/** Asks the server for scans, and waits for them where that is asked. */
export const scan = async (context: Context, command: ScanCommand): Promise<Outcome> => {
  const { type, repository: named, branch, isWaiting } = command;
  const repository = named === undefined ? undefined : await findRepository(context.api, named);
  const body = {
    scan_type: type,
    ...(repository === undefined ? {} : { repositories: [repository.id] }),
    ...(branch === undefined ? {} : { branch }),
  };
  const { data } = fieldsOf(await context.api.post('/request_repo_scan', body));
  const ids = listOf(fieldsOf(data).scan_requests).map((id) => textOf(id) ?? '');
  if (ids.length === 0) throw new ServerError('There is nothing to scan: no repository that the server can clone.');
  context.progress(`${ids.length} scans requested\n`);
  const scans: Requested[] = [];
  for (const id of ids)
    scans.push(isWaiting ? await followRequest(context, id) : { id, status: 'requested', detail: null });
  const isFailed = scans.some(({ status }) => status === 'failed' || status === 'cancelled');
  return {
    exitCode: isFailed ? EXIT.refused : EXIT.ok,
    lines: scans.map(({ id, status, detail }) => `scan ${id}: ${status}.${detail === null ? '' : ` ${detail}`}`),
    document: { scans },
  };
};
