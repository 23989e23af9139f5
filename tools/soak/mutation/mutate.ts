import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type ConnectorReport, type KitReport, runKit } from '@breakwater/sdk/testing';
import { ROOT } from '../../suites/run.ts';

/** A mistake that an author could make: a text of one file, replaced by another one. */
export interface Fault {
  readonly name: string;
  /** Below the folder of the plugin. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** A connector that passes, and what may go wrong in it. */
export interface Mutations {
  readonly connector: string;
  /** Folder of its plugin, below the repository. */
  readonly folder: string;
  readonly faults: readonly Fault[];
}

/** What became of one fault. */
export interface Outcome {
  readonly name: string;
  /** The first thing that the kit says; null where it says nothing. */
  readonly issue: string | null;
}

export interface Measured {
  readonly connector: string;
  readonly outcomes: readonly Outcome[];
  readonly seconds: number;
}

const NOT_COPIED = /(^|\/)(node_modules|dist|testing)$|\.test\.ts$/;

/**
 * Runs the conformance kit on the connector as it is, then with each of its faults, every time in a copy of its own outside of the repository.
 * @throws Error where the connector fails as it is, or the text of a fault does not stand in its file exactly once
 */
export async function measure(mutations: Mutations, tell: (outcome: Outcome) => void = () => {}): Promise<Measured> {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'breakwater-mutation-'));
  try {
    await symlink(path.join(ROOT, 'node_modules'), path.join(scratch, 'node_modules'));
    const copies: string[] = [];
    for (const fault of mutations.faults) copies.push(await mutated(scratch, mutations, fault));
    const start = Date.now();
    const own = firstIssue(await runOn(await copyOf(scratch, mutations), mutations), mutations);
    if (own !== null) throw new Error(`${mutations.connector} fails without any fault: ${own}`);
    const outcomes: Outcome[] = [];
    for (const [index, { name }] of mutations.faults.entries()) {
      const issue = firstIssue(await runOn(copies[index] ?? '', mutations), mutations);
      const outcome = { name, issue };
      outcomes.push(outcome);
      tell(outcome);
    }
    return { connector: mutations.connector, outcomes, seconds: (Date.now() - start) / 1000 };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const runOn = (folder: string, { connector }: Mutations): Promise<KitReport> =>
  runKit(folder, { only: [connector], areTypesChecked: false });

async function copyOf(scratch: string, { folder }: Mutations): Promise<string> {
  const copy = await mkdtemp(path.join(scratch, `${path.basename(folder)}-`));
  await cp(path.join(ROOT, folder), copy, { recursive: true, filter: (source) => !NOT_COPIED.test(source) });
  return copy;
}

async function mutated(scratch: string, mutations: Mutations, { name, file, find, replace }: Fault): Promise<string> {
  const copy = await copyOf(scratch, mutations);
  const place = path.join(copy, file);
  const parts = (await readFile(place, 'utf8')).split(find);
  if (parts.length !== 2) {
    throw new Error(
      `The fault "${name}" of ${mutations.connector} does not fit: its text stands in ${file} ${parts.length - 1} times, not once. Write "find" anew.`,
    );
  }
  await writeFile(place, parts.join(replace));
  return copy;
}

/** What keeps the connector from the highest tier that it can reach. */
function firstIssue({ issues, connectors }: KitReport, { connector }: Mutations): string | null {
  const report = connectors.find(({ id }) => id === connector);
  const [issue = firstOf(report)] = issues.map(({ what }) => what);
  if (issue !== undefined) return issue;
  return report?.tier === 'silver' ? null : `it reaches ${report?.tier ?? 'no tier'}`;
}

function firstOf(report: ConnectorReport | undefined): string | undefined {
  const [issue] = (report?.checks ?? []).flatMap((check) => check.issues.map(({ what }) => `${check.name}: ${what}`));
  return issue;
}
