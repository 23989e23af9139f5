import { expect, test } from 'vitest';
import { countKitReport, kitFailure } from './plugin-suite.ts';

const connector = (tier: string, waived: { silver?: string; gold?: string } = {}) => ({
  tier,
  silverNotApplicable: waived.silver ?? null,
  goldNotApplicable: waived.gold ?? waived.silver ?? null,
});

test('a connector at its tier has passed', () => {
  const connectors = [
    connector('gold'),
    connector('silver', { gold: 'none of its checks applies' }),
    connector('bronze', { silver: 'talks to no service' }),
  ];
  expect(countKitReport({ connectors }, 0)).toEqual({ passed: 3, failed: 0 });
});

test('silver is not enough where gold applies, nor bronze where silver does', () => {
  const connectors = [
    connector('gold'),
    connector('silver'),
    connector('bronze', { gold: 'none of its checks applies' }),
    connector('none', { silver: 'disabled' }),
  ];
  expect(countKitReport({ connectors }, 1)).toEqual({ passed: 1, failed: 3 });
});

test('a plugin that fails as a whole is one failure', () => {
  expect(countKitReport({ connectors: [] }, 1)).toEqual({ passed: 0, failed: 1 });
  expect(countKitReport({ connectors: [connector('gold')] }, 1)).toEqual({ passed: 1, failed: 1 });
  expect(countKitReport(null, 1)).toEqual({ passed: 0, failed: 1 });
});

test('a failure says which points failed, or what was printed last', () => {
  const check = { name: 'egress', issues: [{ what: 'another host was asked' }] };
  const report = { issues: [{ what: 'a view is missing' }], connectors: [{ id: 'acme', checks: [check] }] };
  expect(kitFailure('acme', report, '').message).toBe('a view is missing\nacme, egress, another host was asked');
  expect(kitFailure('acme', null, 'npm ci failed\n').message).toBe('npm ci failed');
});
