import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, fieldsOf, listOf, numberOf, printable, ServerError, textOf, UsageError } from './api.ts';
import type { UploadCommand } from './arguments.ts';
import { type Context, findRepository, follow, type Outcome, type Repository, stateOf } from './context.ts';

/** What became of one file. */
interface Upload {
  file: string;
  scan_id: string | null;
  /** `accepted` where nobody waits for the import, `refused` where there is none. */
  status: string;
  tool: string | null;
  counts: Readonly<Record<string, unknown>> | null;
  /** Why it failed, or what somebody has to look at. */
  detail: string | null;
}

export const ENDED = ['done', 'incomplete', 'outdated', 'failed', 'cancelled'];
const FAILED = ['refused', 'failed', 'cancelled'];

const assertReadable = async (file: string): Promise<void> => {
  const found = await stat(file).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read.`, { cause: error });
  });
  if (!found.isFile()) throw new UsageError(`${file} is no file.`);
};

const formOf = async ({ tool, part, branch, commit }: UploadCommand, file: string): Promise<FormData> => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ tool, part, branch, commit }))
    if (value !== undefined) form.append(name, value);
  // read while it is sent, however large it is
  form.append('file', await openAsBlob(file), path.basename(file));
  return form;
};

const detailOf = (attributes: Readonly<Record<string, unknown>>): string | null => {
  const held =
    attributes.is_held_back === true ? 'Findings that are missing were not closed: confirm it on the scan.' : undefined;
  const reasons = listOf(attributes.incomplete).map((reason) => textOf(reason));
  const said = [textOf(attributes.detail), held, ...reasons].filter((text) => text !== undefined);
  return said.length === 0 ? null : printable(said.join(' '));
};

const followImport = async (context: Context, upload: Upload): Promise<Upload> => {
  const { attributes } = await follow(context, async () => {
    const read = fieldsOf(fieldsOf(fieldsOf(await context.api.get(`/scans/${upload.scan_id}`)).data).attributes);
    const { status, text } = stateOf(read);
    return { isEnded: ENDED.includes(status), text: `${upload.file}: ${text}`, attributes: read };
  });
  const { tool, counts } = attributes;
  const status = stateOf(attributes).status;
  return { ...upload, status, tool: textOf(tool) ?? null, counts: fieldsOf(counts), detail: detailOf(attributes) };
};

const send = async (context: Context, command: UploadCommand, { id }: Repository, file: string): Promise<Upload> => {
  const empty = { file, scan_id: null, tool: null, counts: null, detail: null };
  try {
    context.progress(`${file}: sending\n`);
    const { data } = fieldsOf(await context.api.post(`/upload_scan/${id}`, await formOf(command, file)));
    const scanId = textOf(fieldsOf(data).scan_id);
    if (scanId === undefined) throw new ServerError('The answer of the server names no scan: is BREAKWATER_URL right?');
    return { ...empty, scan_id: scanId, status: 'accepted' };
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    context.progress(`${file}: ${error.message}\n`);
    return { ...empty, status: 'refused', detail: error.message };
  }
};

const lineOf = ({ file, scan_id: scanId, status, tool, counts, detail }: Upload): string => {
  const said = detail === null ? '' : ` ${detail}`;
  if (counts === null || FAILED.includes(status)) {
    return `${file}: ${status}${scanId === null ? '' : ` (scan ${scanId})`}.${said}`;
  }
  const of = (name: string): number => numberOf(counts[name]);
  const changes = ['new', 'reopened', 'closed', 'unchanged'].map((name) => `${of(name)} ${name}`).join(', ');
  return `${file}: ${status}, ${printable(tool ?? 'unknown tool')}, ${of('total')} findings: ${changes} (scan ${scanId}).${said}`;
};

/** Sends reports, and waits for their import where that is asked. One that is refused does not keep the others. */
export const upload = async (context: Context, command: UploadCommand): Promise<Outcome> => {
  for (const file of command.files) await assertReadable(file);
  const repository = await findRepository(context.api, command.repository);
  const uploads: Upload[] = [];
  for (const file of command.files) uploads.push(await send(context, command, repository, file));
  if (command.isWaiting) {
    for (const [at, sent] of uploads.entries())
      if (sent.scan_id !== null) uploads[at] = await followImport(context, sent);
  }
  const exitCode = uploads.some(({ status }) => FAILED.includes(status)) ? EXIT.refused : EXIT.ok;
  const { id, name } = repository;
  return { exitCode, lines: uploads.map(lineOf), document: { repository: { id, name }, uploads } };
};
