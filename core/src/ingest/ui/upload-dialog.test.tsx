import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ServicesProvider } from '../../platform/ui/data/services.tsx';
import { ToastsStore } from '../../platform/ui/feedback/toasts.store.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import type { ReportPreview } from '../model/report-preview.ts';
import { changesLine, UPLOAD_STORE, UploadStore } from './upload.store.ts';
import { UploadDialog } from './upload-dialog.tsx';
import type { ReportLook } from './upload-file.machine.ts';
import type { ReportSender } from './upload-transport.ts';

afterEach(cleanup);

const events = {
  on: () => () => undefined,
  onReconnect: () => () => undefined,
  start: () => undefined,
  stop: () => undefined,
};

const open = (
  names: readonly string[],
  repositories: object[] = [],
  { send, look }: { send?: ReportSender; look?: ReportLook } = {},
) => {
  const tools = [{ _id: 'grype', attributes: { title: 'Grype', files: [] } }];
  const { api, calls } = fakeHttp({
    'GET /upload_tools': () => ({ data: tools }),
    'GET /repositories': () => listOf(repositories),
  });
  const uploads = new UploadStore({
    api,
    events,
    toasts: new ToastsStore(),
    ...(send && { send }),
    ...(look && { look }),
  });
  const services = new Map<symbol, unknown>([
    [UPLOAD_STORE.key, uploads],
    [SESSION.key, { user: { role: 'admin' } }],
  ]);
  const get = <T,>(id: { key: symbol; type?: T }): T => services.get(id.key) as T;
  const element = (
    <ServicesProvider services={{ get }}>
      <UploadDialog />
    </ServicesProvider>
  );
  renderPage({ api, at: '/', routes: [{ path: '/', element }] });
  uploads.open();
  if (names.length > 0) uploads.addFiles(names.map((name) => new File(['x'.repeat(2048)], name)));
  return { uploads, calls };
};

describe('the first import', () => {
  it('says why nothing can be sent yet', async () => {
    const { uploads } = open([]);
    const send = await screen.findByRole('button', { name: 'Upload' });
    expect(send.hasAttribute('disabled')).toBe(true);
    expect(screen.getByText('Choose files and an application first')).toBeDefined();
    uploads.addFiles([new File(['[]'], 'grype.json')]);
    expect(await screen.findByText('Name the application first')).toBeDefined();
  });

  it('shows the size of each file and suggests the application by their names', async () => {
    const { uploads, calls } = open(['juice-shop-grype.json', 'juice-shop.sarif']);
    expect(await screen.findAllByText('2 kB')).toHaveLength(2);
    fireEvent.click(await screen.findByRole('button', { name: 'New application “juice-shop”' }));
    expect(uploads.actor.getSnapshot().context.application).toEqual({ kind: 'new', name: 'juice-shop' });
    const send = await screen.findByRole('button', { name: 'Upload 2 reports' });
    expect(send.hasAttribute('disabled')).toBe(false);
    expect(screen.queryByText(/^By the names/)).toBeNull();
    // nothing was sent for it
    expect(calls.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('suggests the application of that name where there is one', async () => {
    const known = { _id: 'r1', attributes: { nickname: 'Juice-Shop' } };
    const { uploads } = open(['juice-shop-grype.json'], [known]);
    fireEvent.click(await screen.findByRole('button', { name: 'Use “Juice-Shop”' }));
    expect(uploads.actor.getSnapshot().context.application).toEqual({ kind: 'existing', id: 'r1', name: 'Juice-Shop' });
  });
});

describe('a report before it is sent', () => {
  const looked =
    (previews: Record<string, ReportPreview>): ReportLook =>
    (file) =>
      Promise.resolve(previews[file.name]);
  const line = async (preview: ReportPreview) => {
    const { calls, uploads } = open(['a.json'], [], { look: looked({ 'a.json': preview }) });
    const row = (await screen.findAllByRole('listitem')).find(({ className }) => className === 'upload-file');
    await waitFor(() => expect(row?.querySelector('.upload-preview')).not.toBeNull());
    expect(calls.every(({ method }) => method === 'GET')).toBe(true);
    return { text: row?.querySelector('.upload-preview')?.textContent, uploads };
  };
  const grype = {
    kind: 'counted',
    toolId: 'grype',
    title: 'Grype',
    findings: 163,
    components: 0,
    unreadable: 0,
  } as const;

  it('shows its tool and how many results it has', async () => {
    expect((await line({ ...grype, isMore: false })).text).toBe('Grype163 results');
    cleanup();
    expect((await line({ ...grype, components: 840, unreadable: 2, isMore: true })).text).toBe(
      'Grypemore than 163 results, 840 components, 2 unreadable',
    );
    cleanup();
    expect((await line({ ...grype, findings: 0, components: 840, isMore: false })).text).toBe('Grype840 components');
    cleanup();
    expect((await line({ kind: 'uncounted', toolId: 'grype', title: 'Grype' })).text).toContain('once it is sent');
  });

  it('is named at the choice of tools, which otherwise offers to recognise it', async () => {
    const first = () => screen.getByRole('combobox', { name: 'Tool of a.json' }).querySelector('option')?.textContent;
    await line({ ...grype, isMore: false });
    expect(first()).toBe('Recognised: Grype');
    cleanup();
    await line({ kind: 'unknown', asked: [] });
    expect(first()).toBe('Recognise the tool');
  });

  it('says what is unknown, and what to do', async () => {
    expect((await line({ kind: 'unknown', asked: ['grype'] })).text).toMatch(/^Unknown format\. Choose the tool/);
    cleanup();
    // an importer that only the server has may know it
    expect((await line({ kind: 'unknown', asked: [] })).text).toBe('Tool and results are read once it is sent.');
    cleanup();
    expect((await line({ kind: 'wrong_tool', title: 'Bandit' })).text).toBe(
      'This is a report of Bandit. Choose that tool.',
    );
    cleanup();
    await line({ kind: 'table' });
    expect(screen.getByRole('button', { name: 'Map columns…' })).toBeDefined();
  });

  it('is looked at again for another tool', async () => {
    const asked: (string | null)[] = [];
    open(['a.json'], [], {
      look: (_file, toolId) => {
        asked.push(toolId);
        return Promise.resolve(toolId === null ? { kind: 'unknown', asked: ['grype'] } : { ...grype, isMore: false });
      },
    });
    await screen.findByText(/^Unknown format/);
    fireEvent.change(await screen.findByLabelText('Tool of a.json'), { target: { value: 'grype' } });
    await screen.findByText('163 results');
    expect(asked).toEqual([null, 'grype']);
  });
});

describe('an import whose dialog is closed', () => {
  it('stays in view until it is done, and opens again from there', async () => {
    const { uploads } = open(['grype.json'], [], { send: () => new Promise(() => undefined) });
    uploads.actor.send({ type: 'SET_APPLICATION', application: { kind: 'existing', id: 'r1', name: 'juice-shop' } });
    expect(uploads.isImporting).toBe(false);
    fireEvent.click(await screen.findByRole('button', { name: 'Upload 1 report' }));
    await screen.findByText('It goes on when this is closed.');
    expect(screen.queryByRole('region', { name: 'Import in progress' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    const view = await screen.findByRole('region', { name: 'Import in progress' });
    expect(view.textContent).toContain('Importing 1 report of juice-shop');
    expect(view.textContent).toContain('0 of 1');
    fireEvent.click(screen.getByRole('button', { name: 'Show import' }));
    await screen.findByText('It goes on when this is closed.');
    expect(screen.queryByRole('region', { name: 'Import in progress' })).toBeNull();
    expect(uploads.isImporting).toBe(true);
    uploads.clear();
    expect(uploads.isImporting).toBe(false);
  });
});

describe('what an import brought', () => {
  const none = { new: 0, reopened: 0, closed: 0 };

  it('is what changed, or since when nothing did', () => {
    expect(changesLine({ changes: { ...none, new: 12, closed: 3 }, before: undefined })).toBe('12 new, 3 closed');
    expect(changesLine({ changes: none, before: undefined })).toBe('Nothing new');
    expect(changesLine({ changes: none, before: '2020-11-18T12:00:00Z' })).toBe('Nothing new since 18 Nov 2020');
    const today = new Date();
    today.setHours(0, 5);
    expect(changesLine({ changes: none, before: today.toISOString() })).toBe('Nothing new since 00:05');
  });
});
