import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { Role } from '../../platform/model/permissions.ts';
import type { LiveEvents } from '../../platform/ui/data/live-events.ts';
import { answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../testing/browser/render-page.tsx';
import { ScanHistoryScreen } from './scan-history-screen.tsx';

afterEach(cleanup);

const REPOSITORY = '0191c2e0-7b1a-7000-8000-000000000001';
const SCAN = '0191c2e0-7b1a-7000-8000-0000000000a1';

const counts = {
  total: 66,
  new: 5,
  unchanged: 60,
  reopened: 1,
  closed: 4,
  held: 0,
  held_components: 0,
  duplicate: 2,
  suppressed: 3,
  unreadable: 1,
  components: 0,
};
const scan = {
  repository_id: REPOSITORY,
  tool: 'opengrep',
  file_name: 'report.json',
  branch: null,
  status: 'done',
  percentage: 100,
  counts,
  part: null,
  report_date: null,
  incomplete: [],
  is_held_back: false,
  settles: null,
  settlement: null,
  unreadable: [{ where: 'results[3]', why: 'It has no path.' }],
  undoes: null,
  connector: null,
  code: null,
  detail: null,
  created_by: 'ada',
  created_at: '2026-11-20T10:00:00Z',
  finished_at: '2026-11-20T10:00:05Z',
};
const row = (extra: { status?: string; undoes?: string; [name: string]: unknown } = {}, id = SCAN) => {
  const isDone = ['done', 'incomplete'].includes(extra.status ?? scan.status) && extra.undoes === undefined;
  return { _id: id, attributes: { ...scan, undo_refusal: isDone ? null : 'not_done', ...extra } };
};

const server = (rows: object[], overrides: Parameters<typeof fakeHttp>[0] = {}, total = rows.length) =>
  fakeHttp({
    'GET /scans': () => listOf(rows, total),
    'GET /upload_tools': () => ({
      data: [{ _id: 'opengrep', attributes: { title: 'OpenGrep', formats: [], files: [] } }],
    }),
    [`GET /repositories/${REPOSITORY}`]: () => ({ data: { _id: REPOSITORY, attributes: { nickname: 'juice-shop' } } }),
    ...overrides,
  });

/** Live events that the test sends itself. */
const manualEvents = () => {
  const listeners = new Map<string, ((data: never) => void)[]>();
  const events: LiveEvents = {
    on: (kind, listener) => {
      listeners.set(kind.type, [...(listeners.get(kind.type) ?? []), listener]);
      return () => undefined;
    },
    onReconnect: () => () => undefined,
    start: () => undefined,
    stop: () => undefined,
  };
  const send = (type: string, data: object) =>
    act(() => {
      for (const listener of listeners.get(type) ?? []) listener(data as never);
    });
  return { events, send };
};

const open = (http: ReturnType<typeof server>, options: { role?: Role; events?: LiveEvents; query?: string } = {}) => {
  const { query = '', ...rest } = options;
  return renderPage({
    api: http.api,
    at: `/Repositories/${REPOSITORY}/scans${query}`,
    routes: [{ path: '/Repositories/:id/scans', element: withAddress(<ScanHistoryScreen />) }],
    ...rest,
  });
};

describe('the imports of a repository', () => {
  it('says why the provider does not show how the import ended', async () => {
    const commit_status = { state: null, problem: 'Gitea: the token may not write.', comment_url: null };
    open(server([row({ commit_status })]));
    expect(await screen.findByText(/^The status of the commit could not be set: Gitea: the token/)).toBeDefined();
  });

  it('say tool, file, origin, state and every count', async () => {
    const http = server([
      row(),
      row({ connector: 'scm-github', created_by: null, file_name: null, branch: 'feature/x' }, `${SCAN}b`),
    ]);
    open(http);
    expect(await screen.findByRole('heading', { name: 'Imports of juice-shop' })).toBeTruthy();
    const [first, second] = within(screen.getByRole('list', { name: 'Imports' })).getAllByRole('listitem');
    expect(first!.textContent).toContain('OpenGrep');
    expect(first!.textContent).toContain('report.json');
    expect(first!.textContent).toContain('uploaded by ada');
    const figures = within(first!)
      .getAllByRole('term')
      .map((term) => term.parentElement?.textContent);
    expect(figures).toEqual([
      '66results',
      '5new',
      '60unchanged',
      '1reopened',
      '4closed',
      '2duplicate',
      '3suppressed',
      '1unreadable',
    ]);
    expect(second!.textContent).toContain('pulled by scm-github');
    expect(within(second!).getByTitle('Branch feature/x')).toBeTruthy();
    expect(within(first!).queryByTitle(/^Branch/)).toBeNull();
    expect(http.calls[0]?.query.get('filters[repository]')).toBe(REPOSITORY);
  });

  it('show unreadable records with their reasons when asked', async () => {
    open(server([row()]));
    const button = await screen.findByRole('button', { name: 'Show unreadable records' });
    expect(screen.queryByText('It has no path.')).toBeNull();
    await userEvent.click(button);
    expect(screen.getByRole('list', { name: 'Unreadable records' }).textContent).toContain('results[3]');
    expect(screen.getByText(/It has no path/)).toBeTruthy();
  });

  it('say why one failed', async () => {
    open(server([row({ status: 'failed', code: 'report_malformed', detail: 'Not JSON: line 3.', unreadable: [] })]));
    expect(await screen.findByText('Not JSON: line 3.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Undo/ })).toBeNull();
  });

  it('say what to do when there is none', async () => {
    const { uploads } = open(server([]));
    expect(await screen.findByText('No import yet')).toBeTruthy();
    await userEvent.click(screen.getAllByRole('button', { name: 'Upload reports' })[1]!);
    expect(uploads).toEqual(['open']);
  });

  it('page by the address', async () => {
    const http = server([row()], {}, 60);
    open(http, { query: '?page=1' });
    expect(await screen.findByText('26–50 of 60')).toBeTruthy();
    expect(http.calls.find(({ path }) => path === '/scans')?.query.get('pagination[page]')).toBe('2');
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toContain('page=2'));
  });

  it('follow live progress and read the outcome', async () => {
    let current = row({ status: 'merging', percentage: 10, unreadable: [] });
    const { events, send } = manualEvents();
    open(
      fakeHttp({
        'GET /scans': () => listOf([current]),
        'GET /upload_tools': () => ({ data: [] }),
        'GET /repositories': () => ({ data: { _id: REPOSITORY, attributes: { nickname: 'juice-shop' } } }),
      }),
      { events },
    );
    expect(await screen.findByText('Merging 10%')).toBeTruthy();
    send('scan.progress', { scan_id: SCAN, percentage: 55 });
    expect(await screen.findByText('Merging 55%')).toBeTruthy();
    current = row();
    send('scan.completed', { scan_id: SCAN });
    expect(await screen.findByText('Done')).toBeTruthy();
  });
});

describe('what an import did not close', () => {
  const held = row({ counts: { ...counts, closed: 0, held: 12, held_components: 0 }, is_held_back: true });

  it('is said, and confirmed by one click', async () => {
    let rows = [held];
    const http = server([], {
      'GET /scans': () => listOf(rows),
      [`POST /scans/${SCAN}/closing`]: () => {
        rows = [row({ settles: SCAN, settlement: 'confirm' }, `${SCAN}b`), row({ part: 'front end' })];
        return answer(202, { success: true, data: { scan_id: `${SCAN}b` } });
      },
    });
    open(http);
    expect(await screen.findByText(/12 findings of earlier imports are missing from this report/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Close what is missing' }));
    expect(await screen.findByText('Closing confirmed')).toBeTruthy();
    expect(http.calls.find(({ method }) => method === 'POST')?.body).toEqual({ decision: 'confirm' });
    expect(screen.getByTitle('Part front end')).toBeTruthy();
  });

  it('is split off by one click, and a refusal stays to be read', async () => {
    const reason = 'This import holds nothing back any more.';
    const http = server([held], {
      [`POST /scans/${SCAN}/closing`]: () => answer(409, { detail: reason, code: 'conflict' }),
    });
    open(http);
    await userEvent.click(await screen.findByRole('button', { name: 'Keep as another part' }));
    expect((await screen.findByRole('alert')).textContent).toBe(reason);
    expect(http.calls.find(({ method }) => method === 'POST')?.body).toEqual({ decision: 'split' });
  });

  it('is no decision of a developer', async () => {
    open(server([held]), { role: 'developer' });
    expect(await screen.findByText(/An admin or a security operator can decide/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Close what is missing' })).toBeNull();
  });

  it('has the reasons of an incomplete scan, and of an older report', async () => {
    const incomplete = row({ status: 'incomplete', incomplete: ['Parse error in src/a.py'] });
    open(server([incomplete, row({ status: 'outdated' }, `${SCAN}b`)]));
    const reasons = await screen.findByRole('list', { name: 'Why the scan is incomplete' });
    expect(reasons.textContent).toBe('Parse error in src/a.py');
    expect(screen.getByText('Incomplete')).toBeTruthy();
    expect(screen.getByText('Older report')).toBeTruthy();
    expect(screen.getByText(/A newer report of the same scope was imported before/)).toBeTruthy();
  });
});

describe('undo', () => {
  it('asks, then takes the import back and marks it', async () => {
    let rows = [row()];
    const http = server([], {
      'GET /scans': () => listOf(rows),
      [`POST /scans/${SCAN}/undo`]: () => {
        rows = [row({ undoes: SCAN, status: 'queued', percentage: 0, file_name: null }, `${SCAN}b`), row()];
        return answer(202, { success: true, data: { scan_id: `${SCAN}b` } });
      },
    });
    open(http);
    await userEvent.click(await screen.findByRole('button', { name: 'Undo the import of report.json' }));
    const dialog = screen.getByRole('dialog');
    expect(dialog.textContent).toContain('The findings that it brought go');
    expect(http.calls.some(({ method }) => method === 'POST')).toBe(false);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Undo import' }));
    expect(await screen.findByText('Undone')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Undo the import of report.json' })).toBeNull();
  });

  it('keeps the reason of a refusal before the eyes', async () => {
    const reason = 'A newer import of the same tool and target stands on this one. Undo that first.';
    open(server([row()], { [`POST /scans/${SCAN}/undo`]: () => answer(409, { detail: reason, code: 'conflict' }) }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo the import of report.json' }));
    await userEvent.click(screen.getByRole('button', { name: 'Undo import' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(reason);
    await waitFor(() => expect(document.activeElement).toBe(alert));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('waits for what is newer, and says so', async () => {
    open(server([row({ undo_refusal: 'newer' })]));
    const undo = await screen.findByRole('button', { name: 'Undo the import of report.json' });
    expect(undo.hasAttribute('disabled')).toBe(true);
    expect(undo.getAttribute('title')).toContain('Undo that first');
  });

  it('is not offered where the report before is deleted, and says so', async () => {
    open(server([row({ undo_refusal: 'report_deleted' })]));
    const undo = await screen.findByRole('button', { name: 'Undo the import of report.json' });
    expect(undo.hasAttribute('disabled')).toBe(true);
    expect(undo.getAttribute('title')).toContain('The report before is deleted');
  });

  it('and download are not for developers, with the reason', async () => {
    open(server([row()]), { role: 'developer' });
    const undo = await screen.findByRole('button', { name: 'Undo the import of report.json' });
    expect(undo.hasAttribute('disabled')).toBe(true);
    expect(screen.getByLabelText('Download the report report.json').getAttribute('href')).toBeNull();
    expect(screen.getByText(/Only admins and security operators can/)).toBeTruthy();
  });
});
