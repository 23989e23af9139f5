import type { FindingType } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { imageName } from '../../lib/findings/packages.ts';
import { defined, label } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

/** Records of a Trivy target. Source: trivy pkg/types, schema versions 1 (a bare list) and 2. */
export const Vulnerability = Type.Object({ VulnerabilityID: Type.String({ minLength: 1 }) });

export type Vulnerability = Static<typeof Vulnerability>;

export const vulnerabilityCheck = recordCheck(Vulnerability);

export const Misconfiguration = Type.Object({ ID: Type.String({ minLength: 1 }) });

export type Misconfiguration = Static<typeof Misconfiguration>;

export const misconfigurationCheck = recordCheck(Misconfiguration);

/** Secrets and licences may lack every field; where they stand says what they are. */
export const AnyRecord = Type.Object({});

export type AnyRecord = Static<typeof AnyRecord>;

export const anyRecordCheck = recordCheck(AnyRecord);

/** A finding taken out by a VEX document or an ignore file, kept with `--show-suppressed`. */
export const ModifiedFinding = Type.Object({ Type: Type.String(), Finding: Type.Object({}) });

export type ModifiedFinding = Static<typeof ModifiedFinding>;

export const modifiedFindingCheck = recordCheck(ModifiedFinding);

/** A workload of a cluster report of 2022, with its targets inside. */
export const Workload = Type.Object({ Results: Type.Array(Type.Object({})) });

export type Workload = Static<typeof Workload>;

export const workloadCheck = recordCheck(Workload);

/** Where the records of a target were found. */
export interface Target {
  /** Path, image or workload as Trivy names it. */
  path?: string;
  /** `os-pkgs`, `lang-pkgs`, `config`, `secret`, `license` … */
  class?: string;
  /** Package manager or file kind. */
  type?: string;
  /** Image or workload the target belongs to. */
  resource?: string;
  vulnerabilityType: FindingType;
  misconfigurationType: FindingType;
}

export interface Scan {
  isImage: boolean;
  isCluster: boolean;
  image?: string;
  family?: string;
}

/** Reads a field of a target, whichever way the report was taken apart. */
export type Field = (name: string) => unknown;

export function targetOf(field: Field, scan: Scan, workload?: Field): Target {
  const name = label(field('Target'));
  const kind = label(field('Class'));
  const isImage = scan.isImage || scan.isCluster || kind === 'os-pkgs' || isOsTarget(name);
  return defined({
    path: name,
    class: kind,
    type: label(field('Type')),
    resource: workload === undefined ? (scan.image ?? osTargetImage(name)) : workloadName(workload),
    vulnerabilityType: vulnerabilityType(scan.family, isImage),
    misconfigurationType: scan.isCluster ? ('Configuration' as const) : ('IaC' as const),
  });
}

function vulnerabilityType(family: string | undefined, isImage: boolean): FindingType {
  if (family === 'Container' || family === 'SCA') return family;
  return isImage ? 'Container' : 'SCA';
}

/** `registry/app:1.2 (debian 10.8)`: the packages of an image's operating system, in layouts without `Class`. */
const OS_TARGET = /^(\S+) \([a-z][\w .-]* [\w.-]+\)$/i;

function isOsTarget(name: string | undefined): boolean {
  return name !== undefined && OS_TARGET.test(name);
}

function osTargetImage(name: string | undefined): string | undefined {
  return name === undefined ? undefined : imageName(OS_TARGET.exec(name)?.[1]);
}

function workloadName(workload: Field): string | undefined {
  const parts = ['Namespace', 'Kind', 'Name'].map((key) => label(workload(key))).filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('/');
}
