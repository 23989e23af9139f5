import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { ScoreParts, sumOfParts } from './score-parts.tsx';

afterEach(cleanup);

const PARTS = [
  { key: 'severity', points: 30, of: 40, reason: 'CVSS 7.5' },
  { key: 'known_exploited', points: 25, of: 25, reason: 'Oct 2023' },
  { key: 'epss', points: 15, of: 15, reason: 'above 99%' },
  { key: 'exploitability', points: 0, of: 10, reason: '' },
  { key: 'floor', points: 20, of: 20, reason: 'Known exploited: at least 90' },
];

const show = (priority: number, role: Role = 'admin') => {
  const routes = [{ path: '/', element: <ScoreParts priority={priority} parts={PARTS} /> }];
  return renderPage({ api: fakeHttp({}).api, at: '/', role, routes });
};

describe('why this score', () => {
  it('shows every part with what it could give, and says that they add up', () => {
    show(90);
    const rows = screen.getAllByRole('listitem');
    expect(rows).toHaveLength(PARTS.length);
    expect(within(rows[0]!).getByText(/of 40/)).toBeDefined();
    expect(rows[0]!.textContent).toContain('CVSS 7.5');
    expect(sumOfParts(PARTS)).toBe(90);
    expect(screen.getByText('The parts add up to 90.')).toBeDefined();
  });

  it('keeps a part without points, hollow and without a piece of the bar', () => {
    const { container } = show(90);
    expect(container.querySelectorAll('.parts .hollow')).toHaveLength(1);
    expect(container.querySelectorAll('.scorebar i:not(.rest)')).toHaveLength(4);
  });

  it('does not claim that parts add up when they do not', () => {
    show(50);
    expect(screen.queryByText('The parts add up to 50.')).toBeNull();
    expect(screen.getByText(/kept at 50/)).toBeDefined();
  });

  it('leads to the weights who may see them', () => {
    show(90, 'cyberoper');
    expect(screen.getByRole('link', { name: 'See the weights' }).getAttribute('href')).toBe('/settings/prioritisation');
    cleanup();
    show(90, 'developer');
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('asks for exposure and data where they are missing, and has the findings scored anew', async () => {
    const missing = [{ key: 'data', points: 0, of: 5, reason: 'Exposure and data of the repository not set' }];
    const { api, calls } = fakeHttp({ 'PUT /repositories/r1': () => ({ data: { _id: 'r1', attributes: {} } }) });
    const element = <ScoreParts priority={0} parts={missing} repositoryId="r1" />;
    renderPage({ api, at: '/', role: 'cyberoper', routes: [{ path: '/', element }] });
    fireEvent.click(screen.getByRole('button', { name: 'Set them' }));
    const save = await screen.findByRole('button', { name: 'Save' });
    expect([save.hasAttribute('disabled'), save.title]).toEqual([true, 'Choose at least one of the two']);
    fireEvent.change(screen.getByLabelText('Exposure'), { target: { value: 'internet' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved. The findings are being scored anew');
    expect(calls.map(({ body }) => body)).toEqual([{ exposure: 'internet' }]);
  });

  it('names what decides between equals, beside each other and as part of the sum', () => {
    const parts = [
      { key: 'severity', points: 39, of: 40, reason: 'CVSS 9.8' },
      { key: 'tie_break', points: 0.471, of: 1, reason: 'Fix available; Data flow of 3 steps; Known since 2023' },
    ];
    renderPage({
      api: fakeHttp({}).api,
      at: '/',
      routes: [{ path: '/', element: <ScoreParts priority={39.471} parts={parts} /> }],
    });
    expect(screen.getByText('Between equals')).toBeDefined();
    expect(screen.getByText('Fix available · Data flow of 3 steps · Known since 2023')).toBeDefined();
    expect(screen.getByText('0.471')).toBeDefined();
    expect(screen.getByText('The parts add up to 39.471.')).toBeDefined();
  });

  it('leads those who may not set exposure and data to the repository that says neither', () => {
    const reason = 'Exposure and data of the repository not set';
    const missing = [{ key: 'data', points: 0, of: 5, reason }];
    const open = (role: Role, repositoryId?: string) => {
      const element = <ScoreParts priority={0} parts={missing} repositoryId={repositoryId} />;
      renderPage({ api: fakeHttp({}).api, at: '/', role, routes: [{ path: '/', element }] });
    };
    open('developer', 'r1');
    expect(screen.getByRole('link', { name: 'See the repository' })).toBeDefined();
    cleanup();
    // a superadmin who reads inside a client has no page of its repository
    open('superadmin', 'r1');
    expect(screen.queryByRole('link', { name: /repository|Set them/ })).toBeNull();
    cleanup();
    open('admin');
    expect(screen.queryByRole('button', { name: 'Set them' })).toBeNull();
  });
});
