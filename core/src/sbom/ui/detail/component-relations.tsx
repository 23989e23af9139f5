import { Callout } from '@blueprintjs/core';
import { ArrowUp, ChevronRight } from '@blueprintjs/icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import { componentHref } from '../list/component-cells.tsx';
import type { ComponentDetails } from './component-detail.store.ts';

interface NeighboursProps {
  title: string;
  none: string;
  components: ComponentDetails['depends_on'];
}

const MAX_NEIGHBOURS = 30;

/** Components next to this one. */
export function Neighbours({ title, none, components }: NeighboursProps) {
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? components : components.slice(0, MAX_NEIGHBOURS);
  return (
    <section className="bp6-card" aria-label={title}>
      <h2>
        {title} <span className="muted tn">{formatNumber(components.length)}</span>
      </h2>
      {components.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <ul className="neighbours">
          {shown.map((one) => (
            <li key={one._id} className="trunc">
              <Link to={componentHref(one._id)}>{one.name}</Link> <span className="mono muted">{one.version}</span>
            </li>
          ))}
        </ul>
      )}
      {shown.length < components.length && (
        <button type="button" className="link" onClick={() => setIsAll(true)}>
          {t('Show all {count}', { count: components.length })}
        </button>
      )}
    </section>
  );
}

interface RelationProps {
  detail: ComponentDetails;
}

const whyNoPath = ({ direct }: ComponentDetails): string =>
  direct === false
    ? t('The inventory calls it transitive but names nothing that needs it.')
    : t('The inventory names nothing that needs it.');

/** How the component comes into the application: the shortest ways, from what the application names itself. */
export function DependencyPaths({ id, detail }: RelationProps & { id: string }) {
  const { paths, is_cut } = detail.dependency_paths;
  return (
    <section className="bp6-card" aria-label={t('Dependency paths')}>
      <h2>
        {t('Dependency paths')} <span className="muted tn">{formatNumber(paths.length)}</span>
      </h2>
      {paths.length === 0 && <p className="muted">{whyNoPath(detail)}</p>}
      <ol className="dependency-paths">
        {paths.map((path) => (
          <li key={path.map((step) => step._id).join()}>
            <span>{detail.repository}</span>
            {path.map((step) => (
              <span key={step._id} className="path-step">
                <ChevronRight size={12} aria-hidden={true} />
                {step._id === id ? <b>{step.name}</b> : <Link to={componentHref(step._id)}>{step.name}</Link>}
                <span className="mono muted">{step.version}</span>
              </span>
            ))}
          </li>
        ))}
      </ol>
      {paths.length === 5 && <p className="muted small">{t('The shortest five are shown.')}</p>}
      {is_cut && (
        <p className="muted small">{t('Too much depends on it to read everything; a shorter path may exist.')}</p>
      )}
    </section>
  );
}

/** The same package in other applications. */
export function UsedIn({ detail }: RelationProps) {
  return (
    <section className="bp6-card" aria-label={t('Other applications')}>
      <h2>
        {t('Other applications')} <span className="muted tn">{formatNumber(detail.used_in.length)}</span>
      </h2>
      {detail.used_in.length === 0 ? (
        <p className="muted">{t('No other application lists this package.')}</p>
      ) : (
        <ul className="neighbours">
          {detail.used_in.map((use) => (
            <li key={use._id} className="trunc">
              <Link to={componentHref(use._id)}>{use.repository}</Link>{' '}
              <span className="mono muted">{use.version}</span>
              {!use.same_version && <span className="muted"> {t('· another version')}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What an upgrade leaves open, in sentences. */
const restOf = ({ upgrade, component_findings }: ComponentDetails): string[] => {
  const { unfixed, incomparable, covers, version } = upgrade;
  const left = component_findings.length - covers - unfixed - incomparable;
  return [
    unfixed > 0
      ? plural(
          unfixed,
          'No fixed version is known for {count} finding.',
          'No fixed version is known for {count} findings.',
        )
      : '',
    incomparable > 0
      ? plural(
          incomparable,
          'The fixed versions of {count} finding cannot be compared; see the list.',
          'The fixed versions of {count} findings cannot be compared; see the list.',
        )
      : '',
    version === null && left > 0 ? t('The reports name fixes, but no version that fixes all of them.') : '',
  ].filter((sentence) => sentence !== '');
};

/** The lowest version that fixes what is open, as far as reports tell. */
export function UpgradeAdvice({ detail }: { detail: ComponentDetails }) {
  const { upgrade, component_findings } = detail;
  if (component_findings.length === 0) return null;
  const rest = restOf(detail).join(' ');
  if (upgrade.version === null) {
    return (
      <Callout className="upgrade" compact>
        {rest}
      </Callout>
    );
  }
  const isAll = upgrade.covers === component_findings.length;
  return (
    <Callout className="upgrade" compact intent="success" icon={<ArrowUp />}>
      <Words
        of={
          isAll
            ? msg('Version {version} fixes everything open here, by the fixed versions that the reports name.')
            : msg('Version {version} fixes {findings}, by the fixed versions that the reports name.')
        }
        version={<b className="mono">{upgrade.version}</b>}
        findings={plural(upgrade.covers, '{count} finding', '{count} findings')}
      />
      {upgrade.is_major && ` ${t('It is a new major version: expect changes in its interface.')}`} {rest}
    </Callout>
  );
}
