import type { Component } from '@breakwater/sdk';
import type pg from 'pg';
import { type LicenseClass, licenseRules } from '../../../sbom/server/index.ts';
import { copyLine, uuidv7 } from './copy-text.ts';
import { cut, digest, MAX_INDEXED } from './finding-lines.ts';
import type { KnownFindings, KnownResults } from './known-findings.ts';
import type { PreparedFinding } from './prepare-finding.ts';
import { createStagingBuffers, type StagingBuffers } from './staging-tables.ts';

/** The same package in the same version, whatever the report calls it inside. */
export const componentDigest = (component: Component): string =>
  digest(
    component.purl ??
      [component.group ?? '', component.name, component.version ?? '', component.type ?? ''].join('\u0000'),
  );

/** Type of a package URL: `pkg:npm/x@1` is npm. */
export const ecosystemOf = (purl: string | undefined): string | undefined =>
  /^pkg:([a-z0-9.+-]+)\//i.exec(purl ?? '')?.[1]?.toLowerCase();

/** Class of all that a component says of its licence. */
export const licenseClassOf = (licenses: readonly string[]): LicenseClass => licenseRules().classOfAll(licenses);

/** Takes prepared records into the staging tables of the open transaction. */
export interface Stage extends KnownResults, Pick<StagingBuffers, 'isFull' | 'flush'> {
  addFinding(finding: PreparedFinding): void;
  /** Stages what still waits. Called at the end of the report, before the last `flush`. */
  finish(): void;
  addComponent(component: Component): void;
  /** Records taken so far. */
  readonly findings: number;
  readonly components: number;
  /** The long text is stored already: all results are new. */
  readonly hasStoredDetails: boolean;
}

/** Number of a value in the order of first sight; `isNew` at the first. */
const createNumbering = () => {
  const numbers = new Map<string, number>();
  return (key: string): { n: number; isNew: boolean } => {
    const known = numbers.get(key);
    if (known !== undefined) return { n: known, isNew: false };
    numbers.set(key, numbers.size);
    return { n: numbers.size - 1, isNew: true };
  };
};

const componentLine = (n: number, key: string, component: Component): string => {
  const { name, version, group, purl, type, licenses = [], description, direct } = component;
  const named = [n, uuidv7(), key, cut(name, MAX_INDEXED), version, group, purl, ecosystemOf(purl), type];
  return copyLine([...named, licenses, licenseClassOf(licenses), description, direct]);
};

export interface StageOptions {
  known: KnownFindings;
  /** The client, where every result will be new, so that long text is stored with each batch. */
  storesDetailsOf?: string | undefined;
}

type Put = StagingBuffers['put'];

/** Takes a result in full. */
const createFullStaging = (put: Put) => {
  const fileNumber = createNumbering();
  return ({ finding, n, definitionN }: NumberedFinding): void => {
    const file = finding.path === undefined ? undefined : fileNumber(finding.path);
    if (file?.isNew === true) put('stage_files', copyLine([file.n, finding.path]));
    const id = uuidv7();
    const head = copyLine([
      n,
      id,
      finding.identity,
      finding.content,
      definitionN,
      file?.n,
      !finding.isTelling,
      finding.date,
    ]);
    put('stage_findings', `${head}\t${finding.findingRow}\t${finding.location}`);
    put('stage_details', `${n}\t${id}\t${finding.detailLine}`);
  };
};

interface NumberedFinding {
  finding: PreparedFinding;
  n: number;
  definitionN: number;
}

interface Waiting extends NumberedFinding {
  id: string;
}

/** Characters of text that wait at most; results beyond are staged in full. */
const MAX_WAITING = 64_000_000;

/**
 * Results that are equal to a known finding but for their lines. Only their lines are staged, at the end of the report: another result
 * of the same identity makes it a question which of both continues the finding, and then both are staged in full.
 */
const createMovedStaging = (known: KnownFindings, put: Put, stageInFull: (numbered: NumberedFinding) => void) => {
  const waiting = new Map<string, Waiting>();
  let size = 0;
  return {
    /** To be called with every result. */
    release: ({ identity }: PreparedFinding): void => {
      const other = waiting.get(identity);
      if (other === undefined) return;
      waiting.delete(identity);
      stageInFull(other);
    },
    keep: (numbered: NumberedFinding): boolean => {
      const { finding } = numbered;
      if (!finding.isTelling || size > MAX_WAITING) return false;
      const id = known.takeMoved(finding);
      if (id === undefined) return false;
      size += finding.detailLine.length + finding.findingRow.length;
      waiting.set(finding.identity, { ...numbered, id });
      return true;
    },
    /** @returns how many. */
    finish: (): number => {
      for (const { finding, n, id } of waiting.values())
        put('stage_moved', `${n}\t${id}\t${finding.identity}\t${finding.content}\t${finding.location}`);
      return waiting.size;
    },
  };
};

const createFindingStaging = (put: Put, known: KnownFindings) => {
  const definitionNumber = createNumbering();
  const policies = new Set<number>();
  const stageInFull = createFullStaging(put);
  const moved = createMovedStaging(known, put, stageInFull);
  const taken = { findings: 0, equal: 0, moved: 0 };
  const add = (finding: PreparedFinding): void => {
    const n = taken.findings;
    taken.findings += 1;
    const definition = definitionNumber(finding.definition.digest);
    if (definition.isNew) put('stage_definitions', `${definition.n}\t${finding.definition.line}`);
    // of equal results too: what the newest report says first counts
    if (finding.policy !== undefined && !policies.has(definition.n)) {
      policies.add(definition.n);
      put('stage_policies', copyLine([definition.n, { json: finding.policy }]));
    }
    moved.release(finding);
    const equal = known.take(finding);
    if (equal !== undefined) {
      taken.equal += 1;
      put('stage_equal', `${n}\t${equal}\t${finding.identity}\t${finding.content}\t${finding.location}`);
      return;
    }
    const numbered = { finding, n, definitionN: definition.n };
    if (!moved.keep(numbered)) stageInFull(numbered);
  };
  const finish = (): void => {
    taken.moved = moved.finish();
  };
  return { taken, add, finish };
};

const createComponentStaging = (put: Put) => {
  const componentNumber = createNumbering();
  const taken = { components: 0 };
  const add = (component: Component): void => {
    taken.components += 1;
    const key = componentDigest(component);
    const { n, isNew } = componentNumber(key);
    put('stage_refs', copyLine([component.ref, n]));
    for (const ref of component.dependsOn ?? []) put('stage_edges', copyLine([n, ref]));
    if (!isNew) return;
    put('stage_components', componentLine(n, key, component));
  };
  return { taken, add };
};

/** Creates the staging tables and what fills them. Definitions and files are sent once each and numbered here. */
export const createStage = async (client: pg.ClientBase, { known, storesDetailsOf }: StageOptions): Promise<Stage> => {
  const { put, isFull, flush } = await createStagingBuffers(client, storesDetailsOf);
  const [findings, components] = [createFindingStaging(put, known), createComponentStaging(put)];
  return {
    isFull,
    flush,
    hasStoredDetails: storesDetailsOf !== undefined,
    lastScanId: known.lastScanId,
    get findings() {
      return findings.taken.findings;
    },
    get equal() {
      return findings.taken.equal;
    },
    get moved() {
      return findings.taken.moved;
    },
    get components() {
      return components.taken.components;
    },
    addFinding: findings.add,
    addComponent: components.add,
    finish: findings.finish,
  };
};
