import { describe, expect, it } from 'vitest';
import { parseView } from '../../findings/ui/data/finding-view.ts';
import { findingsOf, findingsOfSeverity } from './parts/repository-display.tsx';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';
const filtersOf = (address: string) => parseView(new URL(address, 'http://test.invalid').searchParams, 'open').filters;

describe('links to the findings of a repository', () => {
  it('are addresses that the list reads as these filters', () => {
    expect(filtersOf(findingsOf(ID))).toMatchObject({ repository: [ID], is_duplicate: 'hide' });
    expect(filtersOf(findingsOfSeverity(ID, 'high'))).toMatchObject({ repository: [ID], severity: ['high'] });
  });
});
