import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { AppError, type FieldIssue } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { branchNameOf, isBranchName, isPartName, MAX_BRANCH_LENGTH, MAX_PART_LENGTH } from '../../model/branch.ts';
import { Base64Decoder, JsonBodySplitter } from './json-body.ts';
import { type Spool, type SpooledReport, spoolReport } from './spool.ts';

/** What came with an upload. */
export interface ReceivedUpload {
  report: SpooledReport;
  /** Tool name or catalogue id; `auto` when none was named. */
  tool: string;
  /** File name extension without a dot, as the sender says. */
  ext: string | undefined;
  fileName: string | undefined;
  /** Branch that was scanned, as the sender says. */
  branch: string | undefined;
  /** Hash of the commit that was scanned, in lower case, as the sender says. */
  commit: string | undefined;
  /** What the report is about, as the sender says. */
  part: string | undefined;
  /** To be imported although a newer report was. */
  acceptsOlder: boolean;
  /** How the columns of the report are read, as it was sent: an object, its JSON or a name; undefined without one. */
  mapping: unknown;
}

/** Room for `refs/heads/` before the longest name. */
const MAX_FIELD_LENGTH = {
  ...{ tool: 100, ext: 20, branch: MAX_BRANCH_LENGTH + 45, commit: 64, part: MAX_PART_LENGTH, accept_older: 5 },
};
/** Of a mapping as JSON: as much as its schema allows. */
const MAX_MAPPING_LENGTH = 48 * 1024;

const invalidField = (loc: string, msg: string, type: string): AppError => {
  const issues: FieldIssue[] = [{ loc: ['body', loc], msg, type }];
  return new AppError('validation_failed', undefined, { issues: issues });
};

const missingFile = (): AppError => invalidField('file', msg('file is missing: send the report as "file".'), 'missing');

const readField = (fields: Map<string, unknown>, name: keyof typeof MAX_FIELD_LENGTH): string | undefined => {
  const value = fields.get(name);
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw invalidField(name, sayEnglish('{name} must be a text.', { name }), 'type');
  if (value.length > MAX_FIELD_LENGTH[name])
    throw invalidField(
      name,
      sayEnglish('{name} is longer than {most} characters.', { name, most: MAX_FIELD_LENGTH[name] }),
      'max_length',
    );
  return value;
};

/** @throws validation_failed where the name could not be shown or stored. */
export const requireBranch = (text: string | undefined, loc: readonly [string, string]): string | undefined => {
  const name = branchNameOf(text);
  if (name === undefined || isBranchName(name)) return name;
  const msg = sayEnglish('branch must be the name of a branch: at most {most} characters, no control characters.', {
    most: MAX_BRANCH_LENGTH,
  });
  throw new AppError('validation_failed', undefined, { issues: [{ loc: [...loc], msg, type: 'branch' }] });
};

const readBranch = (fields: Map<string, unknown>): string | undefined =>
  requireBranch(readField(fields, 'branch'), ['body', 'branch']);

const readCommit = (fields: Map<string, unknown>): string | undefined => {
  const commit = readField(fields, 'commit')?.toLowerCase();
  if (commit === undefined || /^[0-9a-f]{7,64}$/.test(commit)) return commit;
  throw invalidField('commit', msg('commit must be the hash of a commit: 7 to 64 hexadecimal digits.'), 'commit');
};

const readPart = (fields: Map<string, unknown>): string | undefined => {
  const part = readField(fields, 'part')?.trim();
  if (part === undefined || part === '') return undefined;
  if (isPartName(part)) return part;
  throw invalidField('part', msg('part must be one line without control characters.'), 'part');
};

/** JSON has true and false, a form their words. */
const readAcceptsOlder = (fields: Map<string, unknown>): boolean => {
  const value = fields.get('accept_older');
  if (typeof value === 'boolean') return value;
  const word = readField(fields, 'accept_older') ?? 'false';
  if (word === 'true' || word === 'false') return word === 'true';
  throw invalidField('accept_older', msg('accept_older must be true or false.'), 'boolean');
};

const finish = (report: SpooledReport, fields: Map<string, unknown>, fileName: string | undefined): ReceivedUpload => {
  const sent = fields.get('mapping');
  const mapping = sent === null || sent === '' ? undefined : sent;
  if (typeof mapping === 'string' && mapping.length >= MAX_MAPPING_LENGTH)
    throw invalidField('mapping', msg('mapping is longer than 48 KB.'), 'max_length');
  fields.delete('mapping');
  for (const name of fields.keys()) {
    if (!Object.hasOwn(MAX_FIELD_LENGTH, name))
      throw invalidField(name, sayEnglish('{name} is not a field of an upload.', { name }), 'unknown_key');
  }
  const tool = readField(fields, 'tool') ?? 'auto';
  const scope = { branch: readBranch(fields), part: readPart(fields), acceptsOlder: readAcceptsOlder(fields) };
  return { report, tool, ext: readField(fields, 'ext'), commit: readCommit(fields), fileName, mapping, ...scope };
};

const receiveJson = async (request: IncomingMessage, spool: Spool, maxBytes: number): Promise<ReceivedUpload> => {
  const splitter = new JsonBodySplitter();
  const decoder = new Base64Decoder();
  const bytes = async function* () {
    for await (const piece of request) yield decoder.push(splitter.push(piece));
    yield decoder.finish();
  };
  const report = await spoolReport(spool, bytes(), maxBytes);
  const body = splitter.finish();
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw missingFile();
  const fields = new Map<string, unknown>(Object.entries(body));
  if (typeof fields.get('file') !== 'string') throw missingFile();
  fields.delete('file');
  return finish(report, fields, undefined);
};

/** @throws validation_failed where the form names no boundary. */
const openForm = (request: IncomingMessage, contentType: string): InstanceType<typeof Busboy> => {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { files: 2, fields: 10, fieldSize: MAX_MAPPING_LENGTH, fieldNameSize: 100, headerPairs: 50 },
    });
  } catch (error) {
    const text = msg('The form names no boundary. Let your program set Content-Type.');
    throw new AppError('validation_failed', text, {
      issues: [{ loc: ['header', 'content-type'], msg: text, type: 'multipart_invalid' }],
      cause: error,
    });
  }
};

const receiveMultipart = async (
  request: IncomingMessage,
  contentType: string,
  spool: Spool,
  maxBytes: number,
): Promise<ReceivedUpload> => {
  const form = openForm(request, contentType);
  const fields = new Map<string, unknown>();
  let report: Promise<SpooledReport> | undefined;
  let fileName: string | undefined;
  let refusal: AppError | undefined;
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (name, stream, name_) => {
    if (name !== 'file' || report !== undefined) {
      refusal =
        name === 'file'
          ? invalidField('file', msg('Send one file at a time.'), 'too_many')
          : invalidField(name, sayEnglish('{name} is not a field of an upload.', { name }), 'unknown_key');
      stream.resume();
      return;
    }
    fileName = name_ || undefined;
    report = spoolReport(spool, stream, maxBytes);
    // Refused early: the rest of the body is of no use, and the form must not wait for it.
    report.catch((error: unknown) => form.destroy(error instanceof Error ? error : new Error('refused')));
  });
  try {
    await pipeline(request, form);
  } catch (error) {
    // what became of the file says more than that the form was given up: it was refused, or the disk is full
    const reason: unknown = await report?.then(
      () => error,
      (failure: unknown) => failure,
    );
    if (error instanceof AppError || reason instanceof AppError) throw reason instanceof AppError ? reason : error;
    if (reason instanceof Error && 'syscall' in reason) throw reason;
    throw new AppError('validation_failed', msg('The form is damaged or cut off. Upload it again.'), {
      issues: [{ loc: ['body'], msg: msg('The form is damaged or cut off.'), type: 'multipart_invalid' }],
      cause: error,
    });
  }
  if (refusal !== undefined) throw refusal;
  if (report === undefined) throw missingFile();
  return finish(await report, fields, fileName);
};

/**
 * Reads an upload in either form, JSON with base64 or multipart, into the spool.
 * @throws validation_failed, payload_too_large, report_too_complex, report_malformed.
 */
export const receiveUpload = (request: IncomingMessage, spool: Spool, maxBytes: number): Promise<ReceivedUpload> => {
  const contentType = request.headers['content-type'] ?? '';
  if (/^multipart\/form-data\b/i.test(contentType)) return receiveMultipart(request, contentType, spool, maxBytes);
  if (/^application\/json\b/i.test(contentType)) return receiveJson(request, spool, maxBytes);
  throw new AppError('validation_failed', msg('Send the report as application/json or multipart/form-data.'), {
    issues: [
      {
        loc: ['header', 'content-type'],
        msg: msg('Send application/json or multipart/form-data.'),
        type: 'content_type',
      },
    ],
  });
};
