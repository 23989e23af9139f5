import type { Tier } from './check.ts';
import type { KitReport } from './run-kit.ts';

/** Whether every connector of a plugin reaches a tier. One that silver does not apply to needs bronze. */
export function reaches({ plugin, faults, connectors }: KitReport, tier: Tier): boolean {
  if (plugin === null || faults.length > 0) return false;
  return connectors.every((connector) => {
    if (connector.tier === 'none') return false;
    return tier === 'bronze' || connector.tier === 'silver' || connector.silverNotApplicable !== null;
  });
}
