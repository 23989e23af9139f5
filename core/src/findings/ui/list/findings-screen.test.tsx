import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answer, fakeHttp, listOf } from '../../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../../testing/browser/render-page.tsx';
import { SHOWN_FINDING } from '../../../testing/browser/shown-finding.ts';
import { SHOWN_VIEW } from '../../../testing/browser/shown-view.ts';
import { DEFAULT_COLUMNS } from '../../model/column-catalogue.ts';
import { defaultView } from '../data/finding-view.ts';
import { FindingPanel } from '../detail/finding-panel.tsx';
import { entriesOf } from '../views/saved-views.store.ts';
import { PriorityList } from './finding-summary.tsx';
import { FindingsScreen } from './findings-screen.tsx';

const { _id: ID, row, detail } = SHOWN_FINDING;

const server = (overrides: Parameters<typeof fakeHttp>[0] = {}) =>
  fakeHttp({
    'GET /findings': () => listOf([{ _id: ID, attributes: row }], 108),
    'GET /findings-columns/selected': () => ({
      data: { default: [], selected: DEFAULT_COLUMNS.map((key) => ({ key, width: null })), available: [] },
    }),
    'GET /filter/findings': () => ({
      success: true,
      data: { severity: [{ value: 'high', label: 'High', count: 38 }], repository: [] },
    }),
    [`GET /findings/${ID}`]: () => ({ data: { _id: ID, attributes: detail } }),
    [`GET /findings/${ID}/history`]: () => ({ data: [] }),
    ...overrides,
  });

const open = (at: string, http = server(), role: 'admin' | 'developer' = 'admin') => ({
  ...renderPage({
    api: http.api,
    at,
    role,
    routes: [
      {
        path: '/findings',
        element: withAddress(<FindingsScreen />),
        errorElement: <p>error page</p>,
        children: [{ path: 'finding-details/:id', element: <FindingPanel /> }],
      },
    ],
  }),
  ...http,
});

const address = () => screen.getByTestId('address').textContent;

beforeEach(() => window.localStorage.clear());
afterEach(cleanup);

describe('the findings screen', () => {
  it('names what it shows with chips and says how many', async () => {
    open('/findings?severity=critical,high');
    expect(await screen.findByText('critical, high')).toBeDefined();
    await waitFor(() => expect(screen.getByText('108')).toBeDefined());
    expect(screen.getByRole('button', { name: 'Remove filter Severity critical, high' })).toBeDefined();
    // the four filters with which the list begins are one
    await userEvent.click(screen.getByRole('button', { name: 'Remove filter Open work' }));
    expect(address()).toBe(
      '/findings?status=all&severity=critical,high&false_positive=show&accepted_risk=show&is_duplicate=show',
    );
  });

  it('takes one filter away, and all of them, in the address', async () => {
    open('/findings?severity=high&search=login');
    await userEvent.click(await screen.findByRole('button', { name: 'Remove filter Severity high' }));
    expect(address()).toBe('/findings?search=login');
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
    // the list as it begins: duplicates and false positives stay hidden
    expect(address()).toBe('/findings');
    expect(screen.queryByRole('button', { name: 'Reset' })).toBeNull();
  });

  it('goes back to the filter before', async () => {
    const { router } = open('/findings?severity=high');
    await userEvent.click(await screen.findByRole('button', { name: 'Remove filter Severity high' }));
    await router.navigate(-1);
    expect(await screen.findByRole('button', { name: 'Remove filter Severity high' })).toBeDefined();
  });

  it('searches a moment after the last key, without a history entry per letter', async () => {
    const { calls, router } = open('/findings');
    const before = router.state.historyAction;
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search findings' }), 'jwt');
    await waitFor(() => expect(address()).toBe('/findings?search=jwt'));
    expect(calls.filter(({ query }) => ['j', 'jw'].includes(query.get('search') ?? ''))).toHaveLength(0);
    expect([before, router.state.historyAction]).toEqual(['POP', 'REPLACE']);
  });

  it('stands where it stood after a reload, and at its top under another address', async () => {
    const scroller = () => document.querySelector('.ft-scroll') ?? document.body;
    const loadedBy = (type: string) => {
      const entry = { type, name: '', entryType: 'navigation', startTime: 0, duration: 0, toJSON: () => ({}) };
      vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entry]);
    };
    loadedBy('navigate');
    open('/findings?severity=high');
    await waitFor(() => expect(screen.getByText('108')).toBeDefined());
    scroller().scrollTop = 640;
    window.dispatchEvent(new Event('pagehide'));
    cleanup();
    // the same address entered or followed anew
    open('/findings?severity=high');
    await waitFor(() => expect(screen.getByText('108')).toBeDefined());
    expect(scroller().scrollTop).toBe(0);
    scroller().scrollTop = 640;
    window.dispatchEvent(new Event('pagehide'));
    cleanup();
    loadedBy('reload');
    open('/findings?severity=high');
    await waitFor(() => expect(scroller().scrollTop).toBe(640));
    window.dispatchEvent(new Event('pagehide'));
    cleanup();
    open('/findings?severity=low');
    await waitFor(() => expect(screen.getByText('108')).toBeDefined());
    expect(scroller().scrollTop).toBe(0);
  });

  it('puts the cursor into the search with "/" and not while somebody types', async () => {
    open('/findings');
    const search = await screen.findByRole('searchbox', { name: 'Search findings' });
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(search);
    await userEvent.keyboard('a/b');
    expect(search.getAttribute('value')).toBe('a/b');
  });

  it('shows the cause of an error and tries again', async () => {
    let isBroken = true;
    open(
      '/findings',
      server({
        'GET /findings': () =>
          isBroken ? answer(503, { detail: 'The database is away.', code: 'unavailable' }) : listOf([], 0),
      }),
    );
    expect(await screen.findByText(/The database is away/)).toBeDefined();
    isBroken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No findings yet')).toBeDefined();
  });

  it('adds a filter from the menu with its count', async () => {
    open('/findings');
    await userEvent.click(await screen.findByRole('button', { name: 'Filter by Severity' }));
    const option = await screen.findByRole('option', { name: /High/ });
    expect(screen.getByText('38')).toBeDefined();
    await userEvent.click(option);
    expect(address()).toBe('/findings?severity=high');
  });

  it('keeps the chosen columns for the person', async () => {
    const kept: unknown[] = [];
    const http = server({
      'POST /findings-columns/save': ({ body }) => {
        kept.push(body);
        return { success: true, data: { default: [], selected: [], available: [] } };
      },
    });
    open('/findings', http);
    await userEvent.click(await screen.findByRole('button', { name: 'Columns' }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Severity' }));
    expect(screen.queryByRole('columnheader', { name: 'Severity' })).toBeNull();
    await waitFor(() => expect(kept).toHaveLength(1));
  });

  it('says by aria-sort what sorts the list, and turns it round', async () => {
    open('/findings');
    const header = await screen.findByRole('columnheader', { name: 'Priority' });
    expect(header.getAttribute('aria-sort')).toBe('descending');
    await userEvent.click(within(header).getByRole('button'));
    expect(address()).toBe('/findings?sort=asc');
    await userEvent.click(within(screen.getByRole('columnheader', { name: 'Severity' })).getByRole('button'));
    expect(address()).toBe('/findings?sort_field=severity');
  });

  it('ticks the box of all only where all are selected', async () => {
    open('/findings');
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Select the first rows, or none' });
    await waitFor(() => expect(screen.getByText('108')).toBeDefined());
    await userEvent.click(box);
    expect([box.checked, box.indeterminate]).toEqual([false, true]);
    await userEvent.click(await screen.findByRole('button', { name: 'Select all 108' }));
    expect([box.checked, box.indeterminate]).toEqual([true, false]);
    await userEvent.click(box);
    expect([box.checked, box.indeterminate]).toEqual([false, false]);
  });

  it('goes from a saved view back to the list as it begins, and stays there', async () => {
    let isUsed = true;
    const views = [{ ...SHOWN_VIEW, _id: ID, active: true, filters: [{ search: 'login' }] }];
    const { calls } = open(
      '/findings',
      server({
        'GET /findings-filter/selected': () => ({ data: views, meta: { use_saved_filter: isUsed } }),
        'PUT /findings-filter/use': () => {
          isUsed = false;
          return { success: true, data: { use_saved_filter: false } };
        },
      }),
    );
    expect((await screen.findByRole('button', { name: 'Mine' })).getAttribute('aria-current')).toBe('true');
    await waitFor(() => expect(address()).toContain('search=login'));
    await userEvent.click(screen.getByRole('button', { name: 'All open' }));
    await waitFor(() => expect(address()).toBe('/findings'));
    expect(await screen.findByRole('button', { name: 'Views' })).toBeDefined();
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ use_saved_filter: false });
  });

  it('opens at the view that its address names, which then is the active one until one leaves it', async () => {
    let active = 'other';
    const begins = defaultView('open');
    const high = entriesOf({ ...begins, filters: { ...begins.filters, severity: ['high'] } });
    const named = {
      ...SHOWN_VIEW,
      _id: ID,
      name: 'Release',
      filters: high,
      own: false,
      shared: true,
    };
    const views = () => [{ ...SHOWN_VIEW, _id: 'other' }, named].map((one) => ({ ...one, active: one._id === active }));
    let isUsed = true;
    const { calls } = open(
      `/findings?severity=high&view=${ID}`,
      server({
        'GET /findings-filter/selected': () => ({ data: views(), meta: { use_saved_filter: isUsed } }),
        'POST /findings-filter/activate': ({ body }) => {
          active = (body as { id: string }).id;
          return { success: true, data: named, message: 'Success activate filter findings!' };
        },
        'PUT /findings-filter/use': () => {
          isUsed = false;
          return { success: true, data: { use_saved_filter: false } };
        },
      }),
    );
    const tab = await screen.findByRole('button', { name: 'Release' });
    await waitFor(() => expect(tab.getAttribute('aria-current')).toBe('true'));
    expect(tab.title).toBe('Release, shared by ada');
    expect(screen.queryByText('Changed')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'All open' }));
    await waitFor(() => expect(address()).toBe('/findings'));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'All open' }).getAttribute('aria-current')).toBe('true'),
    );
    expect(calls.filter(({ path }) => path === '/findings-filter/activate')).toHaveLength(1);
  });

  it('takes reports that are dropped anywhere', async () => {
    const { uploads, container } = open('/findings');
    await screen.findByRole('button', { name: 'All filters' });
    const file = new File(['{}'], 'grype.json');
    const event = new Event('drop', { bubbles: true });
    Object.assign(event, { dataTransfer: { types: ['Files'], files: [file] } });
    container.querySelector('.findings')!.dispatchEvent(event);
    await waitFor(() => expect(uploads).toEqual([[file]]));
  });
});

describe('the panel of a finding', () => {
  const at = `/findings/finding-details/${ID}?severity=high`;

  it('shows the finding, and goes back to the same list', async () => {
    open(at);
    expect(await screen.findByRole('heading', { name: 'SQL injection' })).toBeDefined();
    expect(screen.getByText('The parts add up to 68.')).toBeDefined();
    expect(screen.getByText('query(a)')).toBeDefined();
    // the reader of Markdown is loaded behind the panel
    expect((await screen.findAllByText('SQL', {}, { timeout: 120_000 })).map(({ tagName }) => tagName)).toContain(
      'STRONG',
    );
    expect(screen.queryByText('javascript:alert(1)')).toBeNull();
    expect(screen.getByRole('link', { name: 'https://example.org/advisory' }).getAttribute('rel')).toBe(
      'noopener noreferrer',
    );
    await userEvent.keyboard('{Escape}');
    expect(address()).toBe('/findings?severity=high');
  });

  it('shows what the scanner sent and what came back, as text', async () => {
    const http = { http_request: 'GET /<b>x</b> HTTP/1.1', http_response: 'HTTP/1.1 200 OK', curl_command: null };
    open(at, server({ [`GET /findings/${ID}`]: () => ({ data: { _id: ID, attributes: { ...detail, ...http } } }) }));
    const request = await screen.findByRole('region', { name: /^Request of / });
    expect(request.textContent).toContain('GET /<b>x</b> HTTP/1.1');
    expect(screen.getByRole('region', { name: /^Response of / }).textContent).toContain('HTTP/1.1 200 OK');
    expect(screen.queryByRole('region', { name: /^curl command of / })).toBeNull();
  });

  it('names the resource, which leads to all that is about it', async () => {
    const resource = 'aws_s3_bucket.logs["a,b"]';
    open(at, server({ [`GET /findings/${ID}`]: () => ({ data: { _id: ID, attributes: { ...detail, resource } } }) }));
    await userEvent.click(await screen.findByRole('link', { name: resource }));
    await waitFor(() => expect(address()).toContain('resource='));
  });

  it('asks for a reason, marks at once, and can be undone', async () => {
    const change_id = '0191c2e0-7b1a-7000-8000-00000000000c';
    const marked = { ...detail, false_positive: true, verdict: 'false_positive', verdict_reason: 'fixture' };
    let isMarked = false;
    const { calls, toasts } = open(
      at,
      server({
        [`PUT /findings/${ID}`]: () => {
          isMarked = true;
          return { data: { _id: ID, attributes: marked }, meta: { change_id } };
        },
        [`GET /findings/${ID}`]: () => ({ data: { _id: ID, attributes: isMarked ? marked : detail } }),
        [`GET /findings/${ID}/history`]: () => ({ data: [] }),
        'POST /findings/undo': () => {
          isMarked = false;
          return { data: { done: 1, refused: [], change_id } };
        },
      }),
    );
    await userEvent.click(await screen.findByRole('button', { name: 'False positive' }));
    await userEvent.type(await screen.findByLabelText('Reason'), 'fixture');
    await userEvent.click(screen.getByRole('button', { name: 'Mark false positive' }));
    expect(await screen.findByRole('button', { name: 'Not a false positive' })).toBeDefined();
    const written = calls.find(({ method }) => method === 'PUT');
    expect(written).toMatchObject({ path: `/findings/${ID}/toggle_false_positive`, body: { reason: 'fixture' } });
    await waitFor(() => expect(toasts.toasts[0]?.message).toBe('1 marked false positive'));
    expect(toasts.toasts[0]?.timeoutMs).toBe(10_000);
    toasts.runAction(toasts.toasts[0]!.id);
    expect(await screen.findByRole('button', { name: 'False positive' })).toBeDefined();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ change_id });
  });

  it('keeps a half-written reason on a click outside, on Esc, and when the session ends; Cancel discards it', async () => {
    const { unsaved, router } = open(at);
    await userEvent.click(await screen.findByRole('button', { name: 'False positive' }));
    const field = await screen.findByLabelText('Reason');
    const outside = () => {
      const backdrop = document.querySelector('.bp6-overlay-backdrop');
      if (backdrop === null) throw new Error('No dialog is open');
      return userEvent.click(backdrop);
    };
    await userEvent.type(field, 'Only a fixture');
    await outside();
    expect(screen.getByLabelText('Reason')).toHaveProperty('value', 'Only a fixture');
    await userEvent.keyboard('{Escape}');
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(screen.getByLabelText('Reason')).toHaveProperty('value', 'Only a fixture');
    expect(`${router.state.location.pathname}${router.state.location.search}`).toBe(at);
    unsaved.keep('u');
    unsaved.restore('u');
    expect(unsaved.left).toMatchObject([{ what: 'Mark 1 finding false positive', text: 'Only a fixture' }]);
    unsaved.dismiss();
    // with nothing written a click outside closes it
    await userEvent.clear(field);
    await outside();
    await waitFor(() => expect(screen.queryByLabelText('Reason')).toBeNull());
    await userEvent.click(await screen.findByRole('button', { name: 'False positive' }));
    await userEvent.type(await screen.findByLabelText('Reason'), 'Only a fixture');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByLabelText('Reason')).toBeNull());
  });

  it('marks a verdict that was carried over by position alone, and takes one word about it', async () => {
    const sent: unknown[] = [];
    const waiting = { verdict: 'false_positive', false_positive: true, needs_confirmation: true } as const;
    open(
      `/findings/finding-details/${ID}`,
      server({
        'GET /findings': () => listOf([{ _id: ID, attributes: { ...row, ...waiting } }], 1),
        [`GET /findings/${ID}`]: () => ({ data: { _id: ID, attributes: { ...detail, ...waiting } } }),
        [`PUT /findings/${ID}`]: ({ body }) => {
          sent.push(body);
          return {
            data: { _id: ID, attributes: { ...detail, ...waiting, needs_confirmation: false } },
            meta: { change_id: ID },
          };
        },
      }),
    );
    expect(await screen.findByText('Please confirm: False positive.')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(sent).toEqual([{ verdict_confirmed: true }]);
    await waitFor(() => expect(screen.queryByText('Please confirm: False positive.')).toBeNull());
  });

  it('goes back visibly and says why when the server refuses', async () => {
    const { toasts } = open(
      at,
      server({ [`PUT /findings/${ID}`]: () => answer(409, { detail: 'Changed by somebody else.', code: 'conflict' }) }),
    );
    await userEvent.click(await screen.findByRole('button', { name: 'False positive' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Mark false positive' }));
    await waitFor(() =>
      expect(toasts.toasts[0]?.message).toBe(
        '“SQL injection” was not marked false positive. Changed by somebody else.',
      ),
    );
    expect(screen.getByRole('button', { name: 'False positive' })).toBeDefined();
  });

  it('marks what is an estimate', async () => {
    open(at);
    const value = async (name: string) => (await screen.findByText(name)).nextElementSibling?.textContent;
    expect(await value('Effort to fix')).toBe('25 of 100, more is more work estimate');
    expect(await value('Impact')).toBe('75 of 100, how much it does');
  });

  it('offers to assign only where there is a developer', async () => {
    const { unmount } = open(at, server({ 'GET /users-developer': () => listOf([], 0) }));
    await screen.findByRole('button', { name: 'Verdict' });
    await userEvent.keyboard('?');
    expect(await screen.findByText('Next finding')).toBeDefined();
    expect(screen.queryByText('Assign to developers')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Assign' })).toBeNull();
    unmount();
    const attributes = { email: null, username: 'dev', role: 'developer', status: 'active' };
    open(at, server({ 'GET /users-developer': () => listOf([{ _id: ID, attributes }], 1) }));
    expect(await screen.findByRole('button', { name: 'Assign' })).toBeDefined();
  });

  it('assigns by its key while who the developers are is still being read, and after that failed', async () => {
    const attributes = { email: null, username: 'dev', role: 'developer', status: 'active' };
    let reads = 0;
    let send = (_answer: Response | object) => {};
    const first = new Promise<Response | object>((resolve) => {
      send = resolve;
    });
    const developers = () => {
      reads += 1;
      if (reads === 1) return first;
      return reads === 2 ? answer(503, { detail: 'Later' }) : listOf([{ _id: ID, attributes }], 1);
    };
    open(at, server({ 'GET /users-developer': developers }));
    await screen.findByRole('button', { name: 'Verdict' });
    await userEvent.keyboard('a');
    const dialog = await screen.findByRole('dialog', { name: 'Assign 1 finding' });
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Try again' }));
    expect(await within(dialog).findByRole('option', { name: 'dev' })).toBeDefined();
    await userEvent.keyboard('{Escape}');
    send(answer(500, { detail: 'x' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.keyboard('a');
    expect(await screen.findByRole('option', { name: 'dev' })).toBeDefined();
  });

  it('does not let a developer decide, and says why', async () => {
    open(at, server(), 'developer');
    const button = await screen.findByRole('button', { name: 'False positive' });
    expect(button.hasAttribute('disabled')).toBe(true);
    expect(screen.getByText(/An admin or security operator decides/)).toBeDefined();
  });

  it('says in its place that there is no such finding; the list stays', async () => {
    open(at, server({ [`GET /findings/${ID}`]: () => answer(404, { detail: 'x', code: 'finding_not_found' }) }));
    const panel = await screen.findByRole('complementary', { name: 'Finding' });
    expect(await within(panel).findByText('Finding data not found')).toBeDefined();
    expect(screen.getByRole('button', { name: 'All filters' })).toBeDefined();
    await userEvent.click(within(panel).getByRole('button', { name: 'Back to the list' }));
    expect(address()).toBe('/findings?severity=high');
  });

  it('keeps a half-written note while another tab shows, and asks before it is left', async () => {
    open(at);
    await userEvent.click(await screen.findByRole('tab', { name: 'Decisions' }));
    await userEvent.type(screen.getByLabelText('Notes'), 'Half');
    await userEvent.click(screen.getByRole('tab', { name: 'Overview' }));
    await userEvent.click(screen.getByRole('tab', { name: 'Decisions' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>('Notes').value).toContain('Half');
    await userEvent.click(screen.getByRole('button', { name: 'Back to list' }));
    const question = await screen.findByRole('dialog', { name: 'Leave without saving' });
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>('Notes').value).toContain('Half');
    await userEvent.click(screen.getByRole('button', { name: 'Back to list' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }));
    expect(address()).toBe('/findings?severity=high');
  });

  it('shows text that would be read backwards with its control characters as escapes', async () => {
    const hostile = { title: 'Import of \u202Exyz', file_path: 'src/\u202Egpj.exe', cve: null, component: null };
    open(
      at,
      server({
        'GET /findings': () => listOf([{ _id: ID, attributes: { ...row, ...hostile } }], 1),
        [`GET /findings/${ID}`]: () => ({
          data: {
            _id: ID,
            attributes: {
              ...detail,
              ...hostile,
              description: 'see \u2066this',
              scanner_report_code: btoa(String.fromCharCode(...new TextEncoder().encode('if (a\u202E) {'))),
            },
          },
        }),
      }),
    );
    expect(await screen.findByRole('heading', { name: 'Import of \\u202Exyz' })).toBeDefined();
    expect(await screen.findByText('if (a\\u202E) {')).toBeDefined();
    expect(document.body.textContent).toMatch(/src\/\\u202Egpj\.exe/);
    expect(document.body.innerHTML).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  });

  it('asks of which finding a duplicate is one', async () => {
    open(at);
    await userEvent.click(await screen.findByRole('button', { name: 'Verdict' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Duplicate…' }));
    expect(await screen.findByLabelText('Address of the other finding')).toBeDefined();
  });
});

describe('how the code uses the package of a finding', () => {
  const by = { name: 'lodash/get', path: 'src/a\u202e.ts', line: 3, files: 3 };
  const shown = (use: typeof row.package_use, imported: typeof detail.package_imported_by = null) =>
    open(
      `/findings/finding-details/${ID}`,
      server({
        'GET /findings': () => listOf([{ _id: ID, attributes: { ...row, package_use: use } }], 1),
        [`GET /findings/${ID}`]: () => ({
          data: { _id: ID, attributes: { ...detail, package_use: use, package_imported_by: imported } },
        }),
      }),
    );

  it.each([
    ['imported', 'Imported'],
    ['transitive', 'Only transitive'],
    ['not_imported', 'Not imported'],
  ] as const)('%s is a badge in lists and in the panel, and a fact', async (use, label) => {
    const rows = [{ _id: ID, attributes: { ...row, package_use: use } }];
    renderPage({
      api: server().api,
      at: '/',
      role: 'admin',
      routes: [{ path: '/', element: <PriorityList rows={rows} /> }],
    });
    expect(screen.getByText(label, { selector: '.sig' })).toBeDefined();
    cleanup();
    shown(use);
    expect((await screen.findAllByText(label, { selector: '.sig' })).length).toBeGreaterThan(0);
    await screen.findByText('Package use', { selector: 'dt' });
    expect(screen.getByText('Package use', { selector: 'dt' }).nextElementSibling?.textContent).toBe(label);
  });

  it('says where, with signs that hide text made visible', async () => {
    shown('imported', by);
    const fact = await screen.findByText('Package use', { selector: 'dt' });
    expect(fact.nextElementSibling?.textContent).toMatch(/^Importedimported by src\/a.+\.ts:3 and 2 more files$/);
    expect(fact.nextElementSibling?.textContent).not.toContain('\u202e');
    cleanup();
    shown('imported', { ...by, files: 2 });
    expect(await screen.findByText(/:3 and 1 more file$/)).toBeDefined();
    cleanup();
    shown('imported', { ...by, files: 1 });
    expect(await screen.findByText(/:3$/)).toBeDefined();
  });

  it('is no badge where it is not known, and nothing where it was not analysed', async () => {
    shown('unknown');
    const fact = await screen.findByText('Package use', { selector: 'dt' });
    expect(fact.nextElementSibling?.textContent).toBe('Not known');
    expect(screen.queryByText('Not known', { selector: '.sig' })).toBeNull();
    cleanup();
    shown(null);
    await screen.findByText('Rule', { selector: 'dt' });
    expect(screen.queryByText('Package use', { selector: 'dt' })).toBeNull();
  });
});
