import { ArrowRight } from '@blueprintjs/icons';
import { lazy, Suspense } from 'react';
import type { FindingDetails } from '../finding-detail.store.ts';
import { FindingFacts } from './finding-facts.tsx';
import { FindingWhere } from './finding-where.tsx';
import { isExternal, safeAddress } from './link-policy.ts';
import { ScoreParts } from './score-parts.tsx';

// The parser of Markdown is 40 kB; the panel shows without waiting for it.
const LazyMarkdown = lazy(async () => ({ default: (await import('./safe-markdown.tsx')).SafeMarkdown }));

function Prose({ text }: { text: string }) {
  return (
    <Suspense fallback={<p className="prose">{text}</p>}>
      <LazyMarkdown text={text} />
    </Suspense>
  );
}

function References({ addresses }: { addresses: readonly string[] }) {
  const safe = addresses.map((address) => safeAddress(address, false)).filter(isExternal);
  if (safe.length === 0) return null;
  return (
    <section className="sec">
      <h3>References</h3>
      <ul className="links">
        {safe.map((address) => (
          <li key={address}>
            <a href={address} target="_blank" rel="noopener noreferrer">
              {address}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Everything that is known of a finding, the reason for its score first. */
export function FindingOverview({ finding }: { finding: FindingDetails }) {
  return (
    <>
      <section className="sec">
        <h3>
          Why this score
          <span className="grow" />
          <span className="tn score-figure">{finding.priority}</span>
        </h3>
        <ScoreParts priority={finding.priority} parts={finding.priority_parts} />
      </section>
      <section className="sec">
        <h3>Where</h3>
        <FindingWhere finding={finding} />
      </section>
      {finding.description !== null && finding.description !== '' && (
        <section className="sec">
          <h3>What is wrong</h3>
          <Prose text={finding.description} />
        </section>
      )}
      {(finding.mitigation !== null && finding.mitigation !== '') || finding.fixed_version !== null ? (
        <section className="sec">
          <h3>What to do</h3>
          {finding.fixed_version !== null && finding.component !== null && (
            <p className="row wrap mono">
              {finding.component} {finding.component_version}
              <ArrowRight size={12} title="to" />
              {finding.fixed_version}
            </p>
          )}
          {finding.mitigation !== null && finding.mitigation !== '' && <Prose text={finding.mitigation} />}
        </section>
      ) : null}
      <section className="sec">
        <h3>Facts</h3>
        <FindingFacts finding={finding} />
      </section>
      <References addresses={finding.references} />
    </>
  );
}
