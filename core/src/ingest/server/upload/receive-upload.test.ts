import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../../platform/model/app-error.ts';
import { Base64Decoder, JsonBodySplitter } from './json-body.ts';
import { receiveUpload } from './receive-upload.ts';
import { createSpool } from './spool.ts';

const MB = 1024 * 1024;
let server: Server;
let address: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const spool = await createSpool();
    try {
      const { report, tool, ext, fileName, branch, commit, part, acceptsOlder } = await receiveUpload(
        request,
        spool,
        32 * MB,
      );
      const text = zstdDecompressSync(await readFile(report.path));
      response.end(
        JSON.stringify({
          tool,
          ext,
          fileName,
          branch,
          part,
          acceptsOlder,
          commit,
          size: report.sizeBytes,
          sha256: report.sha256.toString('hex'),
          stored: createHash('sha256').update(text).digest('hex'),
          head: report.head.length,
          isArchive: report.isArchive,
        }),
      );
    } catch (error) {
      response.statusCode = error instanceof AppError ? error.status : 500;
      response.setHeader('connection', 'close');
      response.end(
        JSON.stringify(
          error instanceof AppError
            ? { code: error.code, detail: error.issues ?? error.userMessage }
            : { code: String(error) },
        ),
      );
      request.resume();
    } finally {
      await spool.dispose();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const where = server.address();
  address = `http://127.0.0.1:${typeof where === 'object' && where !== null ? where.port : 0}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const sendJson = async (body: string): Promise<[number, Record<string, unknown>]> => {
  const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return [response.status, JSON.parse(await response.text())];
};
const sendForm = async (
  file: Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
): Promise<[number, Record<string, unknown>]> => {
  const form = new FormData();
  form.set('file', new Blob([file]), 'report.json');
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  const response = await fetch(address, { method: 'POST', body: form });
  return [response.status, JSON.parse(await response.text())];
};
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('a branch is named in either form, without refs/heads, and never with what cannot be stored', async () => {
  const file = Buffer.from('{}').toString('base64');
  const send = (branch: unknown) => sendJson(JSON.stringify({ file, branch }));
  expect((await send('refs/heads/feature/x'))[1]).toMatchObject({ branch: 'feature/x' });
  expect((await send(''))[1]).not.toHaveProperty('branch');
  const form = new FormData();
  form.append('file', new File(['{}'], 'a.json'));
  form.append('branch', 'release 1');
  const sent = await fetch(address, { method: 'POST', body: form });
  expect(await sent.json()).toMatchObject({ branch: 'release 1' });
  for (const branch of [7, ['main'], null, 'a\u0000b', 'x'.repeat(256), 'x'.repeat(400)]) {
    const [status, body] = await send(branch);
    expect([status, body['code']]).toEqual([422, 'validation_failed']);
    expect(JSON.stringify(body['detail'])).toContain('branch');
  }
});

test('JSON and multipart carry the same bytes, whatever order the fields have', async () => {
  const file = randomBytes(3 * MB + 1);
  const base64 = file.toString('base64');
  const before = await sendJson(JSON.stringify({ tool: 'grype', ext: 'json', file: base64 }));
  const after = await sendJson(`{ "file" : "${base64.replaceAll('/', '\\/')}", "tool":"grype" }`);
  const form = await sendForm(file, { tool: 'grype' });
  for (const [status, body] of [before, after, form]) {
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tool: 'grype',
      size: file.length,
      sha256: digest(file),
      stored: digest(file),
      head: 65536,
    });
  }
  expect(form[1]['fileName']).toBe('report.json');
});

test('gzip is unpacked; no tool means auto', async () => {
  const file = Buffer.from(JSON.stringify({ results: [] }));
  const [status, body] = await sendForm(Buffer.from(gzipSync(file)));
  expect([status, body['sha256'], body['tool']]).toEqual([200, digest(file), 'auto']);
});

test('zst is unpacked, of one frame or several, behind a frame that says nothing', async () => {
  const file = Buffer.from(JSON.stringify({ results: ['x'.repeat(200_000)] }));
  const [status, body] = await sendForm(Buffer.from(zstdCompressSync(file)));
  expect([status, body['sha256'], body['stored']]).toEqual([200, digest(file), digest(file)]);
  const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]);
  const halves = [file.subarray(0, 70_000), file.subarray(70_000)].map((half) => zstdCompressSync(half));
  const [taken, answer] = await sendForm(Buffer.concat([skipped, ...halves]));
  expect([taken, answer['sha256']]).toEqual([200, digest(file)]);
});

test('zst has the limits of gzip', async () => {
  const [bomb, first] = await sendForm(Buffer.from(zstdCompressSync(Buffer.alloc(31 * MB))));
  expect([bomb, first['code']]).toEqual([422, 'report_too_complex']);
  const noisy = Buffer.concat(Array.from({ length: 40 }, () => [randomBytes(MB / 2), Buffer.alloc(MB / 2, 32)]).flat());
  const [large, second] = await sendForm(Buffer.from(zstdCompressSync(noisy)));
  expect([large, second['code']]).toEqual([413, 'payload_too_large']);
  for (const length of [6, 3000, 4990]) {
    const [cut, third] = await sendForm(Buffer.from(zstdCompressSync(randomBytes(5000)).subarray(0, length)));
    expect([cut, third['code']]).toEqual([422, 'report_malformed']);
  }
});

test.each([
  ['xz', '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAOeyJyZXN1bHRzIjogW119AADZZeZp6xeFLwABJw/fGvxqH7bzfQEAAAAABFla', 'unxz'],
  ['bz2', 'QlpoOTFBWSZTWSp+qPIAAAabgFAAABAACgIEHgogACKY0BoIBoAWiA9kHDe7wu5IpwoSBU/VHkA=', 'bunzip2'],
  ['lz4', 'BCJNGGRApw8AAIB7InJlc3VsdHMiOiBbXX0AAAAA', 'unlz4'],
  ['7z', 'N3q8ryccAAQAAAAAAAAAAA==', '7z x'],
  ['rar', 'UmFyIRoHAQAAAAAA', 'unrar x'],
])('%s is refused by its name with what to do', async (name, packed, command) => {
  const [status, body] = await sendForm(Buffer.from(packed, 'base64'));
  expect([status, body['code']]).toEqual([422, 'report_malformed']);
  expect(body['detail']).toContain(`packed as ${name}`);
  expect(body['detail']).toContain(command);
});

test.each([
  ['no file', '{"tool":"grype"}', 'missing'],
  ['a file that is no text', '{"file": 5}', 'missing'],
  ['a file that is no base64', '{"file": "<html>"}', 'base64_invalid'],
  ['an unknown key', '{"file": "", "role": "admin"}', 'unknown_key'],
  ['a cut-off body', '{"tool":"grype","file":"aGVsbG8', 'json_invalid'],
  ['another language', '<html></html>', 'json_invalid'],
  ['a list', '[]', 'missing'],
  ['an endless field', JSON.stringify({ tool: 'a'.repeat(70_000), file: '' }), 'json_invalid'],
  ['a nested file key only', '{"tool": {"file": "aGVsbG8="}}', 'missing'],
])('%s is refused with its place', async (_name, body, type) => {
  const [status, answer] = await sendJson(body);
  expect(status).toBe(422);
  expect(JSON.stringify(answer)).toContain(`"type":"${type}"`);
});

test('a gzip bomb is refused before it is unpacked', async () => {
  const [status, body] = await sendForm(Buffer.from(gzipSync(Buffer.alloc(31 * MB))));
  expect([status, body['code']]).toEqual([422, 'report_too_complex']);
});

test('what is larger than allowed is refused, packed or not', async () => {
  const [plain] = await sendForm(randomBytes(33 * MB)).catch(() => [413]);
  expect(plain).toBe(413);
  const noisy = Buffer.concat(
    Array.from({ length: 40 }, () => randomBytes(MB / 2)).flatMap((half) => [half, Buffer.alloc(MB / 2, 32)]),
  );
  const [packed, body] = await sendForm(Buffer.from(gzipSync(noisy, { level: 1 })));
  expect([packed, body['code']]).toEqual([413, 'payload_too_large']);
});

test('a zip with one report is unpacked, one with several stays an archive', async () => {
  const one = Buffer.from(
    'UEsDBBQAAAAIAA4SdV24CMoxEQAAAA8AAAAPAAAAb3V0L3JlcG9ydC5qc29uq1YqSi0uzSkpVrJSiI6tBQBQSwECFAMUAAAACAAOEnVduAjKMREAAAAPAAAADwAAAAAAAAAAAAAAgAEAAAAAb3V0L3JlcG9ydC5qc29uUEsFBgAAAAABAAEAPQAAAD4AAAAAAA==',
    'base64',
  );
  const [status, body] = await sendForm(one);
  expect([status, body['sha256']]).toEqual([200, digest(Buffer.from('{"results": []}'))]);
  const two = Buffer.from(
    'UEsDBBQAAAAIAA4SdV1Dv6ajBAAAAAIAAAAGAAAAYS5qc29uq64FAFBLAwQUAAAACAAOEnVdQ7+mowQAAAACAAAABgAAAGIuanNvbquuBQBQSwECFAMUAAAACAAOEnVdQ7+mowQAAAACAAAABgAAAAAAAAAAAAAAgAEAAAAAYS5qc29uUEsBAhQDFAAAAAgADhJ1XUO/pqMEAAAAAgAAAAYAAAAAAAAAAAAAAIABKAAAAGIuanNvblBLBQYAAAAAAgACAGgAAABQAAAAAAA=',
    'base64',
  );
  const [taken, answer] = await sendForm(two);
  expect([taken, answer['sha256'], answer['isArchive']]).toEqual([200, digest(two), true]);
});

test('a damaged archive says so', async () => {
  const [gzip, first] = await sendForm(Buffer.from(gzipSync(randomBytes(5000)).subarray(0, 3000)));
  expect([gzip, first['code']]).toEqual([422, 'report_malformed']);
  const [zip, second] = await sendForm(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]));
  expect([zip, second['code']]).toEqual([422, 'report_malformed']);
});

test('splitting a body never depends on where the network cut it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), fc.integer({ min: 1, max: 9 }), (file, tool, step) => {
      const body = Buffer.from(JSON.stringify({ tool, file: Buffer.from(file).toString('base64'), ext: 'json' }));
      const splitter = new JsonBodySplitter();
      const decoder = new Base64Decoder();
      const out: Buffer[] = [];
      for (let at = 0; at < body.length; at += step)
        out.push(decoder.push(splitter.push(body.subarray(at, at + step))));
      out.push(decoder.finish());
      expect(splitter.finish()).toEqual({ tool, file: '', ext: 'json' });
      expect(Buffer.concat(out).equals(Buffer.from(file))).toBe(true);
    }),
  );
});

test('the commit that was scanned comes with either form, as a hash only', async () => {
  const file = Buffer.from('{}').toString('base64');
  expect(await sendJson(JSON.stringify({ file, commit: 'ABCDEF1' }))).toMatchObject([200, { commit: 'abcdef1' }]);
  expect(await sendForm(Buffer.from('{}'), { commit: 'a'.repeat(40) })).toMatchObject([
    200,
    { commit: 'a'.repeat(40) },
  ]);
  for (const commit of ['main', 'abc', 'a'.repeat(65), 'abcdef1\n', 7])
    expect(await sendJson(JSON.stringify({ file, commit }))).toMatchObject([422, { code: 'validation_failed' }]);
});

test('the part that a report is about, and that an older one counts, come with either form', async () => {
  const file = Buffer.from('{}').toString('base64');
  const json = (fields: object) => sendJson(JSON.stringify({ file, ...fields }));
  expect(await json({ part: ' front end ', accept_older: true })).toMatchObject([
    200,
    { part: 'front end', acceptsOlder: true },
  ]);
  expect(await sendForm(Buffer.from('{}'), { part: 'account 12', accept_older: 'true' })).toMatchObject([
    200,
    { part: 'account 12', acceptsOlder: true },
  ]);
  expect(await sendForm(Buffer.from('{}'), { part: ' ', accept_older: 'false' })).toMatchObject([
    200,
    { acceptsOlder: false },
  ]);
  for (const wrong of [{ part: 'a\u0000b' }, { part: 'x'.repeat(201) }, { part: 7 }, { accept_older: 'yes' }]) {
    expect(await json(wrong)).toMatchObject([422, { code: 'validation_failed' }]);
  }
});
