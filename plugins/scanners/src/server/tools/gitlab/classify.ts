import type { FindingType } from '@breakwater/sdk';
import { fields, label } from '../../lib/read.ts';

const BY_SCAN: ReadonlyMap<string, FindingType> = new Map([
  ['sast', 'SAST'],
  ['dependency_scanning', 'SCA'],
  ['container_scanning', 'Container'],
  ['cluster_image_scanning', 'Container'],
  ['secret_detection', 'Secrets'],
  ['dast', 'DAST'],
  ['api_fuzzing', 'DAST'],
  ['coverage_fuzzing', 'DAST'],
]);

/**
 * Family of a result: the scan's type, the category of version 14 and older, else what the result is about.
 * Secrets and infrastructure code were part of SAST before they had scans of their own.
 */
export function typeOf(
  vulnerability: Record<string, unknown>,
  scan: Record<string, unknown>,
  identifierTypes: readonly string[],
): FindingType {
  const scanner = label(fields(vulnerability.scanner).id) ?? label(fields(scan.scanner).id) ?? '';
  const named = BY_SCAN.get(label(scan.type) ?? '') ?? BY_SCAN.get(label(vulnerability.category) ?? '');
  const isSecret =
    /gitleaks|trufflehog|^secrets?$/i.test(scanner) ||
    identifierTypes.some((type) => /^(?:gitleaks|trufflehog)/.test(type));
  if (named === undefined || named === 'SAST') {
    if (isSecret || vulnerability.raw_source_code_extract !== undefined) return 'Secrets';
    if (/^kics/i.test(scanner) || identifierTypes.some((type) => type.startsWith('kics'))) return 'IaC';
  }
  return named ?? fromLocation(fields(vulnerability.location));
}

function fromLocation(location: Record<string, unknown>): FindingType {
  if (location.image !== undefined) return 'Container';
  if (location.hostname !== undefined || location.crash_type !== undefined) return 'DAST';
  return label(fields(fields(location.dependency).package).name) === undefined ? 'SAST' : 'SCA';
}
