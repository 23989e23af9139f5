import type { Component } from '@breakwater/sdk';
import { type LicenseClass, licenseRules } from '../../sbom/server/index.ts';
import { digest } from './stored-values.ts';

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
