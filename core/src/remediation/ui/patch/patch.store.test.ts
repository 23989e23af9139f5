import { expect, test } from 'vitest';
import { answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { editorText, withEditorText } from '../../model/patch-draft.ts';
import { writeDiff } from '../../model/unified-diff.ts';
import { FixStore, type Remediation } from '../fix.store.ts';
import { PatchStore } from './patch.store.ts';

const BEFORE = Array.from({ length: 40 }, (_, index) => `${index + 1}\n`).join('');
const diffTo = (line: string): string =>
  writeDiff([{ path: 'a.txt', before: BEFORE, after: BEFORE.replace('\n3\n', `\n${line}\n`) }]);
const GENERATED = diffTo('three');

const fix = (change: Partial<Remediation['attributes']> = {}): Remediation => ({
  _id: 'rem-1',
  attributes: {
    ...{ client_id: 'c', finding_id: 'f-1', repository_id: 'r', title: 'Count', description: 'Why' },
    ...{ date: '2026-11-23T05:00:00.000Z', file_path: 'a.txt', line: 1, processing_status: 'ready' },
    ...{ remediation_type: 'pull_request', code_diff: GENERATED, code_diff_original: GENERATED, code_snippet: null },
    ...{ code_snippet_original: null, is_template: false, template: null, template_fields: [], template_values: {} },
    ...{ diff_parser: 'git', diff_format: 'unified', reference_url: null, branch: 'main', fix_branch: 'fix-1' },
    ...{ repository: 'shop', number: null, files: ['a.txt'], is_edited: false, revision: 'r1', failure: null },
    ...{ remarks: [], tickets: [], ai: null, settings: null, history: [], ...change },
  },
});

/** A draft of the fix that the server has; `edit` answers a save. */
const open = async (edit: (body: unknown) => object = () => ({})) => {
  const server = { fix: fix() };
  const { api, calls } = fakeHttp({
    'GET /findings/f-1/remediation': () => ({ data: server.fix }),
    'PUT /remediation/rem-1/edit': ({ body }) => edit(body),
  });
  const store = new FixStore(api, 'f-1');
  const draft = new PatchStore(store);
  await store.load();
  draft.offer(server.fix);
  const type = (line: string) =>
    draft.changeHunk('a.txt', 0, (hunk) => withEditorText(hunk, editorText(hunk).after.replace('three', line)));
  return { server, draft, calls, type };
};

test('what is typed becomes the diff that is saved, with the revision that it is of', async () => {
  const { draft, type, calls } = await open(() => ({ data: fix({ code_diff: diffTo('drei'), revision: 'r2' }) }));
  expect([draft.isChanged, draft.canReset]).toEqual([false, false]);
  type('drei');
  expect([draft.isChanged, draft.canReset]).toEqual([true, true]);
  expect(await draft.save()).toBe(true);
  expect(calls.at(-1)?.body).toEqual({ revision: 'r1', code_diff: diffTo('drei') });
  expect([draft.isChanged, draft.base?.attributes.revision]).toEqual([false, 'r2']);
  draft.reset();
  expect([draft.diff, draft.isChanged]).toEqual([GENERATED, true]);
});

test('with all changes left out there is nothing to save', async () => {
  const { draft } = await open();
  draft.changeHunk('a.txt', 0, (hunk) => ({ ...hunk, isTaken: false }));
  expect(draft.obstacle).toContain('Nothing is taken');
  expect(await draft.save()).toBe(false);
  draft.drop();
  expect([draft.obstacle, draft.isChanged]).toEqual([undefined, false]);
});

test('somebody else was faster: both versions stay until a person decides', async () => {
  let isRefused = true;
  const { server, draft, type, calls } = await open(() =>
    isRefused
      ? answer(409, { detail: 'Somebody else has changed this fix.', code: 'conflict', request_id: '1' })
      : { data: fix({ code_diff: diffTo('drei'), revision: 'r3' }) },
  );
  type('drei');
  server.fix = fix({ code_diff: diffTo('trois'), revision: 'r2' });
  expect(await draft.save()).toBe(false);
  expect(draft.theirs?.attributes.code_diff).toBe(diffTo('trois'));
  expect(draft.diff).toBe(diffTo('drei'));
  isRefused = false;
  expect(await draft.saveOverTheirs()).toBe(true);
  expect(calls.at(-1)?.body).toMatchObject({ revision: 'r2', code_diff: diffTo('drei') });
  expect(draft.theirs).toBeUndefined();
});

test('a change of others is taken at once where nothing was written, and the same change is no conflict', async () => {
  const { draft, type } = await open();
  draft.offer(fix({ title: 'Theirs', revision: 'r2' }));
  expect([draft.text.title, draft.theirs]).toEqual(['Theirs', undefined]);
  type('drei');
  draft.offer(fix({ title: 'Theirs', code_diff: diffTo('drei'), revision: 'r3' }));
  expect([draft.isChanged, draft.theirs]).toEqual([false, undefined]);
  type('x');
  draft.offer(fix({ title: 'Theirs', code_diff: diffTo('drei'), revision: 'r3', processing_status: 'ready' }));
  expect(draft.theirs).toBeUndefined();
});

test('a diff that cannot be taken apart is shown, not edited', async () => {
  const { draft } = await open();
  draft.offer(fix({ code_diff: 'nonsense', revision: 'r9' }));
  expect([draft.files, draft.diff, draft.isChanged]).toEqual([undefined, 'nonsense', false]);
});
