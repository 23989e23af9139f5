import { type KitCheck, type KitIssue, TIERS, type Tier } from './check.ts';
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
    const marks = checks.map(mark);
    return `${tier === 'none' ? '✗' : '✓'} ${id.padEnd(width)}  ${tier.padEnd(6)}  ${marks.join('  ')}${silver}`;
  };
};

function mark({ name, tried, issues, notApplicable }: KitCheck): string {
  if (notApplicable !== undefined) return `– ${name}`;
  return `${issues.length === 0 ? '✓' : '✗'} ${name} ${tried}`;
}

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
  return checks.flatMap(({ name, notes = [], notApplicable }) => [
    ...(notApplicable === undefined ? [] : [`Note: ${id}: ${name} does not apply: ${notApplicable}.`]),
    ...notes.map((note) => `Note: ${id}: ${note}.`),
  ]);
}

function verdict({ connectors, tried }: KitReport): string {
  const count = (tier: ConnectorReport['tier']) => connectors.filter((one) => one.tier === tier).length;
  const cards = connectors.filter(({ silverNotApplicable }) => silverNotApplicable !== null).length;
  const gold = tried === 'gold' ? `${count('gold')} gold, ` : '';
  return `${connectors.length} connectors: ${gold}${count('silver')} silver, ${count('bronze')} bronze (for ${cards} silver is not applicable), ${count('none')} below bronze`;
}

/**
 * Whether every connector of a plugin reaches a tier. One that a tier does not apply to needs the one below, and whatever checks of the tier were
 * tried on it must pass. False for a tier that was not tried.
 */
export function reaches({ plugin, issues, connectors, tried }: KitReport, tier: Tier): boolean {
  if (plugin === null || issues.length > 0 || TIERS.indexOf(tier) > TIERS.indexOf(tried)) return false;
  return connectors.every((connector) => has(connector, tier));
}

function has(connector: ConnectorReport, tier: Tier): boolean {
  if (connector.tier === 'none') return false;
  if (TIERS.indexOf(connector.tier) >= TIERS.indexOf(tier)) return true;
  const passes = connector.checks.every((one) => one.tier !== tier || one.issues.length === 0);
  if (tier === 'gold') return connector.goldNotApplicable !== null && passes && has(connector, 'silver');
  return connector.silverNotApplicable !== null && passes;
}
