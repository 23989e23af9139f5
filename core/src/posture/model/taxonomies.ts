import type { OwaspEdition } from './chart-choices.ts';

const numbered = (count: number, name: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => name(index + 1));

/** Ids of an edition of the OWASP Top 10, `A01:2025` first. */
export const owaspIds = (edition: OwaspEdition): string[] =>
  numbered(10, (number) => `A${String(number).padStart(2, '0')}:${edition}`);

/** SLSA v1.0 threats. Source: specification §1, decisions.md "States". */
export const SLSA_THREATS: readonly string[] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

/** OWASP Top 10 CI/CD risks. */
export const CICD_RISKS: readonly string[] = numbered(10, (number) => `CICD-SEC-${number}`);

/** Parts of the supply chain with the SLSA threats to each. Source: decisions.md "States". */
export const SUPPLY_CHAIN: Readonly<Record<string, readonly string[]>> = {
  Build: ['E', 'F', 'G', 'H'],
  Dependencies: ['D'],
  Source: ['A', 'B', 'C'],
};
