import { msg } from '../../platform/model/message.ts';

export const PARTNER_KINDS = ['consulting', 'reseller', 'technology'] as const;
export type PartnerKind = (typeof PARTNER_KINDS)[number];

/** How screens name a kind. */
export const PARTNER_KIND_LABELS: Record<PartnerKind, string> = {
  consulting: msg('Consulting'),
  reseller: msg('Reseller'),
  technology: msg('Technology'),
};
