import { cleanup, screen, within } from '@testing-library/react';
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

  it('leads to the repository that does not say its exposure and data, and says who may set them', () => {
    const reason = 'Exposure and data of the repository not set';
    const missing = [{ key: 'data', points: 0, of: 5, reason }];
    const open = (role: Role, repositoryId?: string) => {
      const element = <ScoreParts priority={0} parts={missing} repositoryId={repositoryId} />;
      renderPage({ api: fakeHttp({}).api, at: '/', role, routes: [{ path: '/', element }] });
    };
    open('cyberoper', 'r1');
    expect(screen.getByRole('link', { name: 'Set them' }).getAttribute('href')).toBe('/Repositories/r1#settings');
    cleanup();
    open('developer', 'r1');
    expect(screen.getByRole('link', { name: 'See the repository' })).toBeDefined();
    cleanup();
    // a superadmin who reads inside a client has no page of its repository
    open('superadmin', 'r1');
    expect(screen.queryByRole('link', { name: /repository|Set them/ })).toBeNull();
    cleanup();
    open('admin');
    expect(screen.queryByRole('link', { name: 'Set them' })).toBeNull();
  });
});
