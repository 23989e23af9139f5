import { TYPE_LABELS } from '../../findings/ui/index.ts';
import { POSTURE_LABELS } from '../../platform/model/posture-checks.ts';
import { Time } from '../../platform/ui/display/badges.tsx';
import { currentLanguage, t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import type { FrameworkControl, FrameworkDetail } from '../api/routes.ts';
import { ControlStateBadge, Decided, type FrameworksPlace, OpenCounts } from './framework-parts.tsx';

/** Our words for a control in the reader's language, else in English. */
const textOf = ({ text }: FrameworkControl): string => (currentLanguage() === 'de' ? text.de : text.en);

interface RowProps {
  control: FrameworkControl;
  /** Families and settings that have reported. */
  reported: ReadonlySet<string>;
  place: FrameworksPlace;
}

/** Families and settings that speak of a control; what has never reported is marked. */
function Cover({ control, reported }: Omit<RowProps, 'place'>) {
  const names = [
    ...control.families.map((family) => ({ key: family, label: t(TYPE_LABELS[family]) })),
    ...control.checks.map((check) => ({ key: check, label: t(POSTURE_LABELS[check]) })),
  ];
  return (
    <ul className="fw-cover">
      {names.map(({ key, label }) => (
        <li key={key} className={reported.has(key) ? undefined : 'is-missing'}>
          {label}
          {!reported.has(key) && <span className="sr"> {t('(never reported)')}</span>}
        </li>
      ))}
    </ul>
  );
}

function ControlRow({ control, reported, place }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <span className="fw-id">{control.id}</span>
        <span className="fw-text">{textOf(control)}</span>
      </th>
      <td data-label={t('Covered by')}>
        <Cover control={control} reported={reported} />
      </td>
      <td data-label={t('State')}>
        <ControlStateBadge state={control.state} />
        {control.last_seen !== null && (
          <span className="muted small fw-seen">
            <Words of="last {time}" time={<Time value={control.last_seen} />} />
          </span>
        )}
      </td>
      <td data-label={t('Open findings')}>
        {control.state === 'not_assessed' ? (
          <span className="muted small">{t('Nothing looks at it')}</span>
        ) : (
          <OpenCounts filter={control.filter} counts={control.counts} place={place} />
        )}
      </td>
      <td data-label={t('Decided and fixed')}>
        <Decided control={control} place={place} />
      </td>
    </tr>
  );
}

/** The controls of a framework, one a row. */
export function ControlTable({ framework, place }: { framework: FrameworkDetail; place: FrameworksPlace }) {
  const { families, settings, controls } = framework;
  const reported = new Set([
    ...families.flatMap(({ family, last_seen }) => (last_seen === null ? [] : [family])),
    ...settings.flatMap(({ check, last_seen }) => (last_seen === null ? [] : [check])),
  ]);
  return (
    <table className="fw-table" aria-label={t('Controls')}>
      <thead>
        <tr>
          <th scope="col">{t('Control')}</th>
          <th scope="col">{t('Covered by')}</th>
          <th scope="col">{t('State')}</th>
          <th scope="col">{t('Open findings')}</th>
          <th scope="col">{t('Decided and fixed')}</th>
        </tr>
      </thead>
      <tbody>
        {controls.map((control) => (
          <ControlRow key={control.id} control={control} reported={reported} place={place} />
        ))}
      </tbody>
    </table>
  );
}
