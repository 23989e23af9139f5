import { describe, expect, it } from 'vitest';
import { answer, fakeHttp, listOf } from '../../testing/fake-http.ts';
import { severityOption, trendOption } from './chart-options.ts';
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
    ...changes,
  },
});

const trend = () => ({
  data: {
    series: [
      { name: 'critical', data: [1, 12] },
      { name: 'high', data: [2, 38] },
    ],
    dates: ['2026-11-13', '2026-11-20'],
    total: 50,
  },
});

const server = (overrides: Parameters<typeof fakeHttp>[0] = {}) =>
  fakeHttp({
    'GET /total_findings_chart': () => totals(),
    'GET /findings_chart': trend,
    'GET /findings': () => listOf([]),
    ...overrides,
  });

describe('DashboardStore', () => {
  it('shows the first run, and asks for no chart, while nothing was ever imported', async () => {
    const { api, calls } = server({
      'GET /total_findings_chart': () => totals({ has_data: false, total: 0, series: [] }),
    });
    const store = new DashboardStore(api);
    await store.load();
    expect(store.isFirstRun).toBe(true);
    expect(calls.map(({ path }) => path)).toEqual(['/total_findings_chart']);
  });

  it('counts with the same filters as the list it links to', async () => {
    const { api, calls } = server();
    const store = new DashboardStore(api);
    await store.load();
    for (const { query } of calls) {
      expect(query.get('filters[is_duplicate]')).toBe('hide');
      expect(query.get('filters[false_positive]')).toBe('hide');
    }
    expect(store.totals).toMatchObject({ open: 50, kev: 1, components: 840 });
    expect(store.bySeverity).toMatchObject({ critical: 12, high: 38, low: 0 });
    expect(store.trend?.at(-1)).toEqual({
      date: '2026-11-20',
      counts: { critical: 12, high: 38, medium: 0, low: 0, informational: 0 },
    });
  });

  it('keeps a fault of the chart beside the figures', async () => {
    const { api } = server({ 'GET /findings_chart': () => answer(500, { detail: 'broken', code: 'internal' }) });
    const store = new DashboardStore(api);
    await store.load();
    expect(store.totals?.open).toBe(50);
    expect(store.trendError).toBeDefined();
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
    const option = trendOption({ points: [{ date: '2026-11-20', counts }], tokens, description: 'Open findings' });
    expect(option.series).toMatchObject([
      { id: 'critical', data: [1], itemStyle: { color: '#1', borderColor: '#s' } },
      { id: 'high', data: [2] },
      { id: 'medium', data: [3] },
      { id: 'low', data: [4] },
      { id: 'informational', data: [5], itemStyle: { color: '#5' } },
    ]);
    expect(option.aria).toEqual({ enabled: true, label: { description: 'Open findings' } });
    expect(severityOption({ counts, tokens, description: '' }).animation).toBe(false);
  });
});
