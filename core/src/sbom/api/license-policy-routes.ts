import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Nullable, One, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { LICENSE_VERDICTS } from '../model/license-policy.ts';

const MAX_LICENSES = 500;

const Verdict = OneOf(LICENSE_VERDICTS);

const policyFields = {
  /** Rule by class of licence. */
  classes: Type.Object(
    {
      permissive: Verdict,
      weak_copyleft: Verdict,
      strong_copyleft: Verdict,
      network_copyleft: Verdict,
      proprietary: Verdict,
      unknown: Verdict,
    },
    { additionalProperties: false },
  ),
  /** Single licences, by SPDX id or by the name that reports use; they come before their class. */
  licenses: Type.Array(
    Type.Object(
      { license: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }), verdict: Verdict },
      { additionalProperties: false },
    ),
    { maxItems: MAX_LICENSES },
  ),
};

export const LicensePolicyAttributes = Type.Object({
  ...policyFields,
  /** Null while the default holds. */
  updated_at: Nullable(Timestamp),
});

export const readLicensePolicy = route({
  method: 'GET',
  path: '/license_policy',
  tag: 'sbom',
  summary: 'Which licences the organisation allows, wants to review, or forbids',
  access: { permission: 'settings.read', tenant: true },
  response: One(LicensePolicyAttributes),
});

/** Every application with an inventory is checked anew; findings follow within seconds. */
export const changeLicensePolicy = route({
  method: 'PUT',
  path: '/license_policy',
  tag: 'sbom',
  summary: 'Replace the licence policy',
  access: { permission: 'settings.write', tenant: true },
  audit: 'settings.changed',
  body: Type.Object(policyFields, { additionalProperties: false }),
  response: One(LicensePolicyAttributes),
  errors: ['validation_failed'],
});
