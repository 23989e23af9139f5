import type { KitCheck, KitIssue, Tier } from './check.ts';
import type { ConnectorReport, KitReport } from './run-kit.ts';

/** Failed points shown per check; the rest is counted. */
const SHOWN = 10;

/** The report for a person: a table, and below it every failed point in words. */
export function printReport(report: KitReport): string {
  const { plugin, connectors } = report;
  const title =
    plugin === null ? 'This folder holds no plugin that could be tested.' : `${plugin.id} ${plugin.version}`;
  return [
    title,
    '',
    ...connectors.map(row(connectors)),
    ...(connectors.length > 0 ? [''] : []),
    ...report.issues.flatMap((issue) => [...lines('plugin', issue), '']),
    ...connectors.flatMap(issueLines),
    ...report.notes.map((note) => `Note: ${note}.`),
    ...connectors.flatMap(notesOf),
    verdict(report),
  ].join('\n');
}

const row = (all: readonly ConnectorReport[]) => {
  const width = Math.max(...all.map(({ id }) => id.length));
  return (connector: ConnectorReport): string => {
    const { id, tier, checks, silverNotApplicable } = connector;
    const silver = silverNotApplicable === null ? '' : `   silver: not applicable, ${silverNotApplicable}`;
    const marks = checks.map((check) => `${check.issues.length === 0 ? '✓' : '✗'} ${check.name} ${check.tried}`);
    return `${tier === 'none' ? '✗' : '✓'} ${id.padEnd(width)}  ${tier.padEnd(6)}  ${marks.join('  ')}${silver}`;
  };
};

function lines(heading: string, { what, where, fix }: KitIssue): string[] {
  return [`✗ ${heading}: ${what}`, `    where: ${where}`, `    fix:   ${fix}`];
}

function issueLines({ id, checks }: ConnectorReport): string[] {
  return checks.flatMap((check) => [...shown(id, check), ...(check.issues.length > 0 ? [''] : [])]);
}

function shown(id: string, { tier, name, issues }: KitCheck): string[] {
  const messages = issues.slice(0, SHOWN).flatMap((issue) => lines(`${id}, ${tier}, ${name}`, issue));
  const more = issues.length - SHOWN;
  return more > 0 ? [...messages, `✗ ${id}, ${tier}, ${name}: and ${more} more`] : messages;
}

function notesOf({ id, checks }: ConnectorReport): string[] {
  return checks.flatMap(({ notes = [] }) => notes.map((note) => `Note: ${id}: ${note}.`));
}

function verdict({ connectors }: KitReport): string {
  const count = (tier: ConnectorReport['tier']) => connectors.filter((one) => one.tier === tier).length;
  const cards = connectors.filter(({ silverNotApplicable }) => silverNotApplicable !== null).length;
  return `${connectors.length} connectors: ${count('silver')} silver, ${count('bronze')} bronze (for ${cards} silver is not applicable), ${count('none')} below bronze`;
}

/** Whether every connector of a plugin reaches a tier. One that silver does not apply to needs bronze. */
export function reaches({ plugin, issues, connectors }: KitReport, tier: Tier): boolean {
  if (plugin === null || issues.length > 0) return false;
  return connectors.every((connector) => {
    if (connector.tier === 'none') return false;
    return tier === 'bronze' || connector.tier === 'silver' || connector.silverNotApplicable !== null;
  });
}
