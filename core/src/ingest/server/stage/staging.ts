import type { Component } from '@breakwater/sdk';
import type pg from 'pg';
import { type LicenseClass, licenseRules } from '../../../sbom/server/index.ts';
import { copyLine, uuidv7 } from './copy-text.ts';
import { cut, digest, MAX_INDEXED } from './finding-lines.ts';
import type { KnownFindings } from './known-findings.ts';
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
export interface Stage extends Pick<StagingBuffers, 'isFull' | 'flush'> {
  addFinding(finding: PreparedFinding): void;
  addComponent(component: Component): void;
  /** Records taken so far. */
  readonly findings: number;
  /** Those of them that were equal to a known finding: of these only the digests are staged. */
  readonly equal: number;
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

/** Creates the staging tables and what fills them. Definitions and files are sent once each and numbered here. */
export const createStage = async (client: pg.ClientBase, { known, storesDetailsOf }: StageOptions): Promise<Stage> => {
  const { put, isFull, flush } = await createStagingBuffers(client, storesDetailsOf);
  const [definitionNumber, fileNumber, componentNumber] = [createNumbering(), createNumbering(), createNumbering()];
  const policies = new Set<number>();
  const taken = { findings: 0, equal: 0, components: 0 };
  return {
    isFull,
    flush,
    hasStoredDetails: storesDetailsOf !== undefined,
    get findings() {
      return taken.findings;
    },
    get equal() {
      return taken.equal;
    },
    get components() {
      return taken.components;
    },
    addFinding: (finding) => {
      const n = taken.findings;
      taken.findings += 1;
      const definition = definitionNumber(finding.definition.digest);
      if (definition.isNew) put('stage_definitions', `${definition.n}\t${finding.definition.line}`);
      // of equal results too: what the newest report says first counts
      if (finding.policy !== undefined && !policies.has(definition.n)) {
        policies.add(definition.n);
        put('stage_policies', copyLine([definition.n, { json: finding.policy }]));
      }
      const equal = known.take(finding.identity, finding.content);
      if (equal !== undefined) {
        taken.equal += 1;
        put('stage_equal', `${n}\t${equal}\t${finding.identity}\t${finding.content}`);
        return;
      }
      const file = finding.path === undefined ? undefined : fileNumber(finding.path);
      if (file?.isNew === true) put('stage_files', copyLine([file.n, finding.path]));
      const id = uuidv7();
      const head = copyLine([n, id, finding.identity, finding.content, definition.n, file?.n, finding.date]);
      put('stage_findings', `${head}\t${finding.findingRow}`);
      put('stage_details', `${n}\t${id}\t${finding.detailLine}`);
    },
    addComponent: (component) => {
      taken.components += 1;
      const key = componentDigest(component);
      const { n, isNew } = componentNumber(key);
      put('stage_refs', copyLine([component.ref, n]));
      for (const ref of component.dependsOn ?? []) put('stage_edges', copyLine([n, ref]));
      if (!isNew) return;
      put('stage_components', componentLine(n, key, component));
    },
  };
};
