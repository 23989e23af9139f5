import type { ReactNode } from 'react';
import { t } from '../../platform/ui/language/translate.ts';
import { PARTNER_KIND_LABELS } from '../model/partners.ts';
import type { PartnerItem } from './partners.store.ts';

interface PartnerCardProps {
  partner: PartnerItem;
  /** What can be done with it. */
  actions?: ReactNode;
}

/** One partner: who it is, and how it is reached. */
export function PartnerCard({ partner, actions }: PartnerCardProps) {
  const { name, kind, description, website, email } = partner.attributes;
  return (
    <section className="bp6-card partner-card" aria-label={name}>
      <h2>{name}</h2>
      <p className="muted small">{t(PARTNER_KIND_LABELS[kind])}</p>
      {description !== '' && <p className="t2 partner-text">{description}</p>}
      {website !== null && (
        <a href={website} target="_blank" rel="noreferrer">
          {website.replace(/^https:\/\//, '').replace(/\/$/, '')}
        </a>
      )}
      {email !== null && <a href={`mailto:${email}`}>{email}</a>}
      {actions !== undefined && <div className="row partner-actions">{actions}</div>}
    </section>
  );
}
