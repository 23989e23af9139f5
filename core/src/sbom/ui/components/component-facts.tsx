import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Time } from '../../../platform/ui/time.tsx';
import type { ComponentDetails } from '../component-detail.store.ts';
import { directText, licenseText } from '../component-text.ts';
import { LICENSE_CLASS_LABELS, LICENSE_CLASS_MEANINGS } from '../license-words.ts';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** What the inventory says of a component. */
export function ComponentFacts({ detail }: { detail: ComponentDetails }) {
  return (
    <section className="bp6-card" aria-label="Facts">
      <h2>Facts</h2>
      <dl className="kv">
        <Fact name="Version">{detail.version}</Fact>
        <Fact name="Licence">{licenseText(detail.licenses)}</Fact>
        <Fact name="Licence class">
          {LICENSE_CLASS_LABELS[detail.license_class]}
          <span className="muted small license-note">
            {LICENSE_CLASS_MEANINGS[detail.license_class]} An estimate from the licence’s name, no legal advice.
          </span>
        </Fact>
        <Fact name="Ecosystem">{detail.ecosystem}</Fact>
        <Fact name="Kind">{detail.type}</Fact>
        <Fact name="Use">{directText(detail.direct)}</Fact>
        <Fact name="Package URL">{detail.purl === null ? null : <span className="mono">{detail.purl}</span>}</Fact>
        <Fact name="Repository">
          <Link to={`/sbom-findings?repository=${detail.repository_id}`}>{detail.repository}</Link>
        </Fact>
        <Fact name="First seen">
          <Time value={detail.first_seen} />
        </Fact>
        <Fact name="Last seen">
          <Time value={detail.last_seen} />
        </Fact>
      </dl>
    </section>
  );
}
