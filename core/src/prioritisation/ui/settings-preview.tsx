import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { SeverityShape } from '../../platform/ui/display/badges.tsx';
import { formatNumber, formatThousandths } from '../../platform/ui/display/formats.ts';
import { PriorityValue } from '../../platform/ui/display/priority-value.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { WEIGHTED_PARTS } from '../model/settings/priority-settings.ts';
import type { Preview, PrioritySettingsStore } from './priority-settings.store.ts';
import { PART_WORDS } from './settings-draft.ts';

/** What the numbers come to: 100 points, shared out. */
export const PartWeights = observer(function PartWeights({ store }: { store: PrioritySettingsStore }) {
  const { weights, stored } = store;
  if (weights === undefined || stored === undefined) return null;
  return (
    <section className="bp6-card priority-card" aria-label={t('Points of each part')}>
      <h2>{t('Points of each part')}</h2>
      <div className="scorebar" aria-hidden="true">
        {WEIGHTED_PARTS.map((part, index) =>
          weights[part] === 0 ? null : (
            <i key={part} className={`v${(index % 5) + 1}`} style={{ flexBasis: `${weights[part]}%` }} />
          ),
        )}
      </div>
      <ul className="priority-parts">
        {WEIGHTED_PARTS.map((part) => (
          <li key={part}>
            <span>{t(PART_WORDS[part])}</span>
            <span className="tn">
              {stored.weights[part] !== weights[part] && <span className="muted">{stored.weights[part]} → </span>}
              {weights[part]}
            </span>
          </li>
        ))}
      </ul>
      <p className="muted small">
        {t(
          'Whatever the weights: known exploited is at least 90; EPSS of 50% or more with a high or critical severity at least 80.',
        )}
      </p>
    </section>
  );
});

const changeText = ({ is_estimate, total, changed, raised, lowered }: Preview): string => {
  const values = { changed, raised, lowered };
  return is_estimate
    ? plural(
        total,
        'About {changed} of {count} open finding change: {raised} rise, {lowered} fall.',
        'About {changed} of {count} open findings change: {raised} rise, {lowered} fall.',
        values,
      )
    : plural(
        total,
        '{changed} of {count} open finding change: {raised} rise, {lowered} fall.',
        '{changed} of {count} open findings change: {raised} rise, {lowered} fall.',
        values,
      );
};

const above80 = (preview: Preview) => ({ more: preview.rise_above_80, fewer: preview.fall_below_80 });

const Summary = ({ preview }: { preview: Preview }) => {
  if (preview.total === 0) return <p>{t('No findings are open: there is nothing that could change.')}</p>;
  return (
    <>
      <p className="strong">
        {preview.changed === 0
          ? plural(
              preview.total,
              'None of {count} open finding changes its priority.',
              'None of {count} open findings changes its priority.',
            )
          : changeText(preview)}
      </p>
      {preview.changed > 0 && (
        <p>
          {preview.is_estimate
            ? t('About {more} come to 80 or more, {fewer} leave it.', above80(preview))
            : t('{more} come to 80 or more, {fewer} leave it.', above80(preview))}
        </p>
      )}
      {preview.is_estimate && (
        <p className="muted small">
          {t(
            'Estimated from {count} findings, taken in proportion from every repository, tool and severity. Saving goes through all of them.',
            { count: preview.looked_at },
          )}
        </p>
      )}
    </>
  );
};

const Bands = ({ bands }: { bands: Preview['bands'] }) => (
  <table className="priority-bands">
    <caption>{t('Open findings by priority')}</caption>
    <thead>
      <tr>
        <th scope="col">{t('Priority')}</th>
        <th scope="col" className="num">
          {t('Now')}
        </th>
        <th scope="col" className="num">
          {t('Then')}
        </th>
      </tr>
    </thead>
    <tbody>
      {bands.map(({ from, to, before, after }) => (
        <tr key={from}>
          <th scope="row">
            {from}–{to}
          </th>
          <td className="num">{formatNumber(before)}</td>
          <td className={before === after ? 'num muted' : 'num strong'}>{formatNumber(after)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Top = ({ preview: { top_before, top_after } }: { preview: Preview }) => {
  const before = new Set(top_before.map(({ _id }) => _id));
  const after = new Set(top_after.map(({ _id }) => _id));
  const gone = top_before.filter(({ _id }) => !after.has(_id));
  return (
    <>
      <h3>{t('First ten then')}</h3>
      <ol className="priority-top">
        {top_after.map(({ _id, attributes }) => (
          <li key={_id}>
            <SeverityShape severity={attributes.severity} />
            <Link to={`/findings/finding-details/${_id}`}>{attributes.title}</Link>
            {!before.has(_id) && <span className="priority-new">{t('New')}</span>}
            <span className="tn">
              {attributes.before !== attributes.after && (
                <span className="muted">
                  <PriorityValue value={attributes.before} /> →{' '}
                </span>
              )}
              <PriorityValue value={attributes.after} />
            </span>
          </li>
        ))}
      </ol>
      {gone.length > 0 && (
        <p className="muted small">
          {t('No longer among them: {findings}.', {
            findings: gone
              .map(({ attributes: { title, after: then } }) => `${title} (${formatThousandths(then)})`)
              .join(', '),
          })}
        </p>
      )}
    </>
  );
};

/** What saving would do, while the form is changed. */
export const SettingsPreview = observer(function SettingsPreview({ store }: { store: PrioritySettingsStore }) {
  const { preview, previewIssue, isPreviewing, isChanged } = store;
  return (
    <section className="bp6-card priority-card" aria-label={t('What changes')} aria-busy={isPreviewing}>
      <h2>{t('What changes')}</h2>
      <div role="status">
        {!isChanged && <p className="muted">{t('Change a weight, and this shows what saving it would do.')}</p>}
        {isChanged && preview === undefined && previewIssue === undefined && (
          <p className="muted">
            {isPreviewing
              ? t('Findings are being compared…')
              : t('Correct the marked numbers to see what saving would do.')}
          </p>
        )}
        {previewIssue !== undefined && <p className="err">{previewIssue}</p>}
        {preview !== undefined && <Summary preview={preview} />}
      </div>
      {preview !== undefined && preview.total > 0 && (
        <>
          <Bands bands={preview.bands} />
          <Top preview={preview} />
        </>
      )}
    </section>
  );
});
