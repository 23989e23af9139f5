import type { FindingType } from '@breakwater/sdk';
import { imageName } from '../../lib/paths.ts';
import { defined, label } from '../../lib/read.ts';

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
