import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ScoreParts, sumOfParts } from './score-parts.tsx';

afterEach(cleanup);

const PARTS = [
  { key: 'severity', points: 30, of: 40, reason: 'CVSS 7.5' },
  { key: 'known_exploited', points: 25, of: 25, reason: 'Oct 2023' },
  { key: 'epss', points: 15, of: 15, reason: 'above 99%' },
  { key: 'exploitability', points: 0, of: 10, reason: '' },
  { key: 'floor', points: 20, of: 20, reason: 'Known exploited: at least 90' },
];

describe('why this score', () => {
  it('shows every part with what it could give, and says that they add up', () => {
    render(<ScoreParts priority={90} parts={PARTS} />);
    const rows = screen.getAllByRole('listitem');
    expect(rows).toHaveLength(PARTS.length);
    expect(within(rows[0]!).getByText(/of 40/)).toBeDefined();
    expect(rows[0]!.textContent).toContain('CVSS 7.5');
    expect(sumOfParts(PARTS)).toBe(90);
    expect(screen.getByText('The parts add up to 90.')).toBeDefined();
  });

  it('keeps a part without points, hollow and without a piece of the bar', () => {
    const { container } = render(<ScoreParts priority={90} parts={PARTS} />);
    expect(container.querySelectorAll('.parts .hollow')).toHaveLength(1);
    expect(container.querySelectorAll('.scorebar i:not(.rest)')).toHaveLength(4);
  });

  it('does not claim that parts add up when they do not', () => {
    render(<ScoreParts priority={50} parts={PARTS} />);
    expect(screen.queryByText('The parts add up to 50.')).toBeNull();
    expect(screen.getByText(/kept at 50/)).toBeDefined();
  });
});
