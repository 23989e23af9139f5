import { describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';
import { type Answer, answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { mapColumnsMachine } from './map-columns.machine.ts';

const proposal = {
  tool: '',
  separator: ';',
  fields: [{ field: 'title', column: 'Issue' }],
  severities: [{ word: 'High', severity: 'high' }],
};
const kept = { ...proposal, tool: 'Acme', fields: [{ field: 'title', column: 'Text' }] };
const preview = (changes: object = {}) => ({
  data: {
    ...{ separator: ';', columns: ['Issue', 'Text'], rows: [], fields: [], proposal, words: [], findings: [] },
    ...{ unreadable: [], saved: [{ _id: 'm1', attributes: { name: 'Acme', columns: [], mapping: kept } }], ...changes },
  },
});

const start = (answers: Record<string, Answer> = {}) => {
  const http = fakeHttp({
    'POST /upload_preview': () => preview(),
    'PUT /column_mappings': () => ({ success: true, data: { _id: 'm1' } }),
    'DELETE /column_mappings/': () => ({ success: true }),
    ...answers,
  });
  const file = new File(['Issue;Text\nÜ;x\n'], 'a.csv');
  const actor = createActor(mapColumnsMachine, { input: { api: http.api, file } }).start();
  const until = (state: string) =>
    vi.waitFor(() => expect(actor.getSnapshot().value).toBe(state), { timeout: 120_000 });
  const bodies = () => http.calls.filter(({ path }) => path.includes('upload_preview')).map(({ body }) => body);
  return { actor, until, bodies, ...http };
};

describe('a mapping of columns', () => {
  it('begins with what the server proposes for the beginning of the file', async () => {
    const { actor, until, bodies } = start();
    await until('ready');
    expect(actor.getSnapshot().context.mapping).toEqual(proposal);
    expect(bodies()).toEqual([{ head: 'SXNzdWU7VGV4dArDnDt4Cg==', is_whole: true }]);
  });

  it('is looked at again once after several changes', async () => {
    const { actor, until, bodies } = start();
    await until('ready');
    actor.send({ type: 'SET_SOURCE', field: 'title', source: { column: 'Text' } });
    actor.send({ type: 'SET_SOURCE', field: 'type', source: { value: 'SAST' } });
    actor.send({ type: 'SET_SEVERITY', word: 'HIGH', severity: 'low' });
    actor.send({ type: 'SET_TOOL', tool: 'Acme' });
    await until('ready');
    const mapping = {
      ...{ tool: 'Acme', separator: ';', severities: [{ word: 'HIGH', severity: 'low' }] },
      fields: [
        { field: 'title', column: 'Text' },
        { field: 'type', value: 'SAST' },
      ],
    };
    expect(bodies()).toHaveLength(2);
    expect(bodies()[1]).toMatchObject({ mapping });
  });

  it('can be a kept one, and be kept', async () => {
    const { actor, until, calls } = start();
    await until('ready');
    actor.send({ type: 'USE_SAVED', id: 'm1' });
    expect(actor.getSnapshot().context.mapping).toEqual(kept);
    await until('ready');
    actor.send({ type: 'SAVE', name: 'Acme weekly' });
    await until('ready');
    expect(actor.getSnapshot().context.savedAs).toBe('Acme weekly');
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      name: 'Acme weekly',
      columns: ['Issue', 'Text'],
      mapping: kept,
    });
  });

  it('that was kept can be removed, and the rest is offered', async () => {
    const removed: string[] = [];
    const { actor, until } = start({
      'POST /upload_preview': () => preview(removed.length === 0 ? {} : { saved: [] }),
      'DELETE /column_mappings/': ({ path }) => {
        removed.push(path);
        return { success: true };
      },
    });
    await until('ready');
    actor.send({ type: 'REMOVE_SAVED', id: 'm1' });
    await vi.waitFor(() => expect(actor.getSnapshot().context.preview?.saved).toEqual([]), { timeout: 120_000 });
    expect(removed).toEqual(['/column_mappings/m1']);
  });

  it('is kept and removed also before the change of a moment ago was looked at', async () => {
    const { actor, calls } = start();
    await vi.waitFor(() => expect(actor.getSnapshot().value).toBe('ready'), { timeout: 120_000 });
    const seen = (method: string) =>
      vi.waitFor(() => expect(calls.some((call) => call.method === method)).toBe(true), { timeout: 120_000 });
    actor.send({ type: 'USE_SAVED', id: 'm1' });
    actor.send({ type: 'SAVE', name: 'Again' });
    await seen('PUT');
    await vi.waitFor(() => expect(actor.getSnapshot().value).toBe('ready'), { timeout: 120_000 });
    actor.send({ type: 'USE_SAVED', id: 'm1' });
    actor.send({ type: 'REMOVE_SAVED', id: 'm1' });
    expect(actor.getSnapshot().value).toBe('removing');
  });

  it('says why a file is no table, and can try again', async () => {
    let isTable = false;
    const { actor, until } = start({
      'POST /upload_preview': () =>
        isTable ? preview() : answer(422, { detail: 'This is no table.', code: 'report_wrong_tool', request_id: 'r' }),
    });
    await until('refused');
    expect(actor.getSnapshot().context.messages).toEqual(['This is no table.']);
    isTable = true;
    actor.send({ type: 'RETRY' });
    await until('ready');
  });
});
