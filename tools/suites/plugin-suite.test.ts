import { expect, test } from 'vitest';
import { countKitReport } from './plugin-suite.ts';

const connector = (tier: string, silverNotApplicable: string | null = null) => ({ tier, silverNotApplicable });

test('a connector at its tier has passed', () => {
  const connectors = [connector('silver'), connector('bronze', 'talks to no service')];
  expect(countKitReport({ connectors }, 0)).toEqual({ passed: 2, failed: 0 });
});

test('bronze is not enough where silver applies', () => {
  const connectors = [connector('silver'), connector('bronze'), connector('none', 'disabled')];
  expect(countKitReport({ connectors }, 1)).toEqual({ passed: 1, failed: 2 });
});

test('a plugin that fails as a whole is one failure', () => {
  expect(countKitReport({ connectors: [] }, 1)).toEqual({ passed: 0, failed: 1 });
  expect(countKitReport({ connectors: [connector('silver')] }, 1)).toEqual({ passed: 1, failed: 1 });
  expect(countKitReport(null, 1)).toEqual({ passed: 0, failed: 1 });
});
