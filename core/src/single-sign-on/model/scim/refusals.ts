import { AppError } from '../../../platform/model/app-error.ts';

/** Why a request is refused, in words of the protocol. Source: RFC 7644 §3.12, table 9. */
const SCIM_TYPES = [
  'invalidFilter',
  'invalidPath',
  'invalidSyntax',
  'invalidValue',
  'mutability',
  'noTarget',
  'tooMany',
  'uniqueness',
] as const;
type ScimType = (typeof SCIM_TYPES)[number];

export const isScimType = (type: string): type is ScimType => SCIM_TYPES.some((one) => one === type);

/** A refusal that an identity provider reads: 409 where something is taken, else 400. */
export const scimRefusal = (type: ScimType, detail: string): AppError =>
  new AppError(type === 'uniqueness' ? 'conflict' : 'bad_request', detail, {
    issues: [{ loc: ['body'], msg: detail, type }],
  });
