import type { NormalizedFinding } from '@breakwater/sdk';
import { normaliseCode, normalisePath, normaliseResource } from './normalise.ts';

/** A character no report text may carry, so that two different lists of parts never read the same. */
const SEPARATOR = '\u0000';

const partsOf = (finding: NormalizedFinding): readonly string[] => {
  if (finding.secretHash !== undefined) return ['secret', finding.secretHash];
  if (finding.component !== undefined) {
    const { name, ecosystem } = finding.component;
    return ['component', name, ecosystem ?? '', normaliseResource(finding.resource ?? '')];
  }
  const code = normaliseCode(finding.locations?.[0]?.snippet ?? '');
  if (code !== '') return ['code', code, finding.resource ?? ''];
  if (finding.fingerprint !== undefined) return ['fingerprint', finding.fingerprint];
  return ['place', finding.resource ?? ''];
};

/** `registry/app:1.2 (debian 12.4)`: how Trivy writes the place of an image's system packages. */
const IMAGE_PLACE = /^\S+ \([^()]+\)$/;

/** Path of the result; of an image only what lasts from build to build, so that a new tag keeps findings and verdicts. */
const placeOf = (finding: NormalizedFinding): string => {
  const path = normalisePath(finding.locations?.[0]?.path ?? '');
  return finding.component !== undefined && IMAGE_PLACE.test(path) ? normaliseResource(path) : path;
};

/**
 * What makes a result the same in the next report: tool, rule, path, and code, component or secret. Never the line, the
 * severity, a text, or a version: a package that was updated and is still vulnerable keeps its finding and its verdict.
 * Results that are equal in all this are told apart by an ordinal. Source: architecture §4.
 */
export const identityText = (tool: string, finding: NormalizedFinding): string => {
  return [tool, finding.ruleId, placeOf(finding), ...partsOf(finding)].join(SEPARATOR);
};
