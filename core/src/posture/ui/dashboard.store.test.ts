import { describe, expect, it } from 'vitest';
import { answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { columnsOption, rowsOption, severityOption } from './charts/chart-options.ts';
import { ChartsStore } from './charts.store.ts';
import { DashboardStore, pointOf, totalsBySeverity } from './dashboard.store.ts';

const totals = (changes: object = {}) => ({
  data: {
    series: [
      { name: 'critical', data: [12] },
      { name: 'high', data: [38] },
    ],
    labels: ['now'],
    total: 50,
    kev: 1,
    repositories: 1,
    components: 840,
    has_data: true,
    has_sample: false,
    has_verdict: false,
    has_pull_request: false,
    ...changes,
  },
});

const remediation = () => ({
  data: {
    series: [],
    dates: [],
    total: 50,
    findings_with_remediation: 6,
    findings_without_remediation: 44,
    findings_with_ready_remediate: 0,
  },
});

const CHARTS = [
  'found_findings',
  'owasp',
  'slsa_threats',
  'owasp_cicd',
  'supply_chain',
  'findings_by_repo',
  'backlog_age',
  'overdue',
  'time_to_fix',
];
const empty = { data: { series: [], labels: [], segments: [], total: 0 } };

const server = (overrides: Parameters<typeof fakeHttp>[0] = {}) =>
  fakeHttp({
    'GET /total_findings_chart': () => totals(),
    'GET /findings_chart': remediation,
    ...Object.fromEntries(CHARTS.map((name) => [`GET /${name}_chart`, () => empty])),
    'GET /findings': () => listOf([]),
    ...overrides,
  });

describe('ChartsStore', () => {
  it('shows characters that turn the direction of a label as escapes; filters keep the stored value', async () => {
    const name = 'shop\u202Egpj';
    const segments = [[{ tool: [name] }]];
    const { api } = server({
      'GET /findings_by_repo_chart': () => ({
        data: { series: [{ name, data: [3] }], labels: [name], segments, total: 3 },
      }),
    });
    const store = new ChartsStore(api);
    await store.load();
    const shown = [...store.readings.values()].find(({ chart }) => chart?.total === 3)?.chart;
    expect(shown).toMatchObject({ series: [{ name: 'shop\\u202Egpj' }], labels: ['shop\\u202Egpj'], segments });
  });
});

describe('DashboardStore', () => {
  it('shows the first run, and asks for no chart, while nothing was ever imported', async () => {
    const { api, calls } = server({
      'GET /total_findings_chart': () => totals({ has_data: false, total: 0, series: [] }),
    });
    const store = new DashboardStore(api);
    await store.load();
    expect(store.isFirstRun).toBe(true);
    expect(calls.map(({ path }) => path)).toEqual(['/total_findings_chart', '/findings']);
  });

  it('counts with the same filters as the list it links to', async () => {
    const { api, calls } = server();
    const store = new DashboardStore(api);
    await store.load();
    for (const { query } of calls.filter(({ path }) => path !== '/dashboard_board')) {
      expect(query.get('filters[is_duplicate]')).toBe('hide');
      expect(query.get('filters[false_positive]')).toBe('hide');
    }
    expect(store.totals).toMatchObject({ open: 50, kev: 1, components: 840 });
    expect(store.bySeverity).toMatchObject({ critical: 12, high: 38, low: 0 });
    expect(calls.map(({ path }) => path)).toEqual(
      expect.arrayContaining([...CHARTS.map((name) => `/${name}_chart`), '/findings_chart']),
    );
  });

  it('says how many have an action plan, and with which statuses the list shows them', async () => {
    const store = new DashboardStore(server().api);
    await store.load();
    const chart = store.charts.readings.get('remediation')?.chart;
    expect(chart?.series[0]?.data).toEqual([50, 0, 6, 44]);
    expect(chart?.segments[0]).toEqual([
      {},
      null,
      { status: ['pending_input', 'ready', 'pr_submitted', 'issued', 'pr_accepted'] },
      { status: ['enriched', 'reopened'] },
    ]);
  });

  it('reads one chart again when its span or edition is chosen, and forgets answers that come too late', async () => {
    const waiting: (() => void)[] = [];
    const { api, calls } = server({
      'GET /owasp_chart': async ({ query }) => {
        if (query.get('edition') === '2025') await new Promise<void>((resolve) => waiting.push(resolve));
        return { data: { ...empty.data, labels: [query.get('edition')] } };
      },
    });
    const { charts } = new DashboardStore(api);
    const old = charts.read('owasp');
    charts.setEdition('2021');
    charts.setPeriod('30d');
    await expect.poll(() => charts.readings.get('owasp')?.chart?.labels).toEqual(['2021']);
    for (const answerNow of waiting) answerNow();
    await old;
    expect(charts.readings.get('owasp')?.chart?.labels).toEqual(['2021']);
    expect(calls.map(({ path, query }) => `${path} ${query.get('period') ?? query.get('edition')}`)).toEqual([
      '/owasp_chart 2025',
      '/owasp_chart 2021',
      '/found_findings_chart 30d',
      '/time_to_fix_chart null',
    ]);
  });

  it('keeps an error of the chart beside the figures', async () => {
    const { api } = server({ 'GET /owasp_chart': () => answer(500, { detail: 'broken', code: 'internal' }) });
    const store = new DashboardStore(api);
    await store.load();
    expect(store.totals?.open).toBe(50);
    expect(store.charts.readings.get('owasp')?.error).toBeDefined();
    expect(store.charts.readings.get('slsa')?.chart).toBeDefined();
  });

  it('loads sample data until all of its reports are imported', async () => {
    let asked = 0;
    const { api, calls } = server({
      'POST /sample_data': () => ({ success: true, data: { repository_id: 'r', scan_ids: ['s1', 's2'] } }),
      'GET /scans/': () => {
        asked += 1;
        return { data: { _id: 's', attributes: { status: asked > 2 ? 'done' : 'parsing' } } };
      },
    });
    const store = new DashboardStore(api);
    await store.addSample();
    expect(asked).toBeGreaterThan(2);
    expect(store.isSampleBusy).toBe(false);
    expect(calls.at(-1)?.path).not.toBe('/scans/s1');
    expect(store.totals?.hasData).toBe(true);
  });
});

describe('series of the charts', () => {
  it('are read by severity, in any order and case', () => {
    expect(
      pointOf(
        [
          { name: 'Low', data: [1, 2] },
          { name: 'critical', data: [3, 4] },
        ],
        1,
      ),
    ).toMatchObject({ low: 2, critical: 4 });
    expect(totalsBySeverity([{ name: 'open', data: [5, 6] }], ['Critical', 'High'])).toMatchObject({
      critical: 5,
      high: 6,
    });
  });

  const tokens = {
    severity: { critical: '#1', high: '#2', medium: '#3', low: '#4', informational: '#5' },
    single: '#o',
    bad: '#x',
    quiet: '#q',
    text: '#t',
    text2: '#u',
    muted: '#m',
    border: '#b',
    surface: '#s',
    overlay: '#o',
    font: 'Inter',
  };
  const counts = { critical: 1, high: 2, medium: 3, low: 4, informational: 5 };

  it('are drawn in the colours of the mode, with a text for assistive technology', () => {
    const series = [
      { name: 'Critical', data: [1, 0], colors: ['#1'] },
      { name: 'Fixed', data: [2, 3], colors: ['#3', '#4'] },
    ];
    const chart = { labels: ['a', 'b'], series, tokens, description: 'Open findings' };
    const columns = columnsOption(chart);
    expect(columns.series).toMatchObject([
      { id: 'Critical', data: [{ value: 1, itemStyle: { color: '#1', borderColor: '#s' } }, { value: '-' }] },
      {
        id: 'Fixed',
        data: [
          { value: 2, itemStyle: { color: '#3' } },
          { value: 3, itemStyle: { color: '#4' } },
        ],
      },
    ]);
    expect(columns.aria).toEqual({ enabled: true, label: { description: 'Open findings' } });
    // the last series only carries the sums
    expect(rowsOption(chart).series).toMatchObject([
      { id: 'Critical' },
      { id: 'Fixed' },
      {
        silent: true,
        data: [
          { value: 0, label: { formatter: '3' } },
          { value: 0, label: { formatter: '3' } },
        ],
      },
    ]);
    // all that is drawn is data: the canvas compares options as JSON
    expect(JSON.stringify(rowsOption({ ...chart, endOf: () => '1 d' }))).not.toBe(JSON.stringify(rowsOption(chart)));
    expect(severityOption({ counts, tokens, description: '' }).animation).toBe(false);
    // logarithmic lengths are no figures: the tip says them, and no axis is drawn
    const log = columnsOption({ ...chart, scale: 'log' });
    expect(log.yAxis).toMatchObject({ show: false });
    expect(JSON.stringify(log)).toContain('a<br>Fixed <b>2</b>');
  });
});
