import { expect, test } from 'vitest';
import type { FindingFilters } from './filter-catalogue.ts';
import { quietColumns } from './quiet-columns.ts';
import { OPEN_STATUSES } from './states.ts';

const OPEN: FindingFilters = {
  status: [...OPEN_STATUSES],
  false_positive: 'hide',
  accepted_risk: 'hide',
  is_duplicate: 'hide',
};

test('a column steps back where its filter leaves one value', () => {
  expect(quietColumns({})).toEqual([]);
  expect(quietColumns({ tool: ['trivy'], type: ['SCA', 'SAST'], repository: ['r'] })).toEqual(['repository', 'tool']);
  expect(quietColumns({}, { hasOneRepository: true })).toEqual(['repository']);
  expect(quietColumns({ repository: ['r', 's'] }, { hasOneRepository: true })).toEqual(['repository']);
  expect(quietColumns({}, { isWithoutSignals: true })).toEqual(['signals']);
  expect(quietColumns(OPEN)).toEqual(['status']);
  expect(quietColumns({ ...OPEN, is_duplicate: 'show' })).toEqual([]);
  expect(quietColumns({ ...OPEN, status: ['enriched'] })).toEqual([]);
});
