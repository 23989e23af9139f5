import { Link } from 'react-router-dom';
import { findingsHref, TYPE_LABELS, toolLabel } from '../../findings/ui/index.ts';
import { POSTURE_TOOL } from '../../platform/model/posture-checks.ts';
import { Time } from '../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../platform/ui/display/formats.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import type { FrameworkDetail } from '../api/routes.ts';
import type { FrameworksPlace } from './framework-parts.tsx';

const Never = () => <span className="muted">{t('Never')}</span>;

/** Which scanners have reported, and when last. */
function Families({ families }: Pick<FrameworkDetail, 'families'>) {
  return (
    <section aria-labelledby="fw-families">
      <h2 id="fw-families">{t('Scanners that reported')}</h2>
      <table className="fw-table fw-small" aria-labelledby="fw-families">
        <thead>
          <tr>
            <th scope="col">{t('Family')}</th>
            <th scope="col">{t('Tools')}</th>
            <th scope="col">{t('Last report')}</th>
          </tr>
        </thead>
        <tbody>
          {families.map(({ family, tools, last_seen }) => (
            <tr key={family}>
              <th scope="row">{t(TYPE_LABELS[family])}</th>
              <td data-label={t('Tools')}>{tools.length === 0 ? <Never /> : tools.map(toolLabel).join(', ')}</td>
              <td data-label={t('Last report')}>{last_seen === null ? <Never /> : <Time value={last_seen} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Setting = FrameworkDetail['settings'][number];

/** In how many repositories a setting is right, wrong, or could not be seen. */
const standing = ({ ok, at_risk, unknown }: Setting): string =>
  [
    plural(ok, 'right in {count} repository', 'right in {count} repositories'),
    plural(at_risk, 'wrong in {count}', 'wrong in {count}'),
    ...(unknown === 0 ? [] : [plural(unknown, 'could not be seen in {count}', 'could not be seen in {count}')]),
  ].join(' · ');

function Settings({ settings, place }: Pick<FrameworkDetail, 'settings'> & { place: FrameworksPlace }) {
  return (
    <section aria-labelledby="fw-settings">
      <h2 id="fw-settings">{t('Settings of repositories')}</h2>
      <table className="fw-table fw-small" aria-labelledby="fw-settings">
        <thead>
          <tr>
            <th scope="col">{t('Setting')}</th>
            <th scope="col">{t('How it stands')}</th>
            <th scope="col">{t('Last read')}</th>
            <th scope="col">{t('Open findings')}</th>
          </tr>
        </thead>
        <tbody>
          {settings.map((setting) => (
            <tr key={setting.check}>
              <th scope="row">{t(setting.label)}</th>
              <td data-label={t('How it stands')}>
                {setting.last_seen === null ? <span className="muted">{t('Not assessed')}</span> : standing(setting)}
              </td>
              <td data-label={t('Last read')}>
                {setting.last_seen === null ? <Never /> : <Time value={setting.last_seen} />}
              </td>
              <td data-label={t('Open findings')}>
                <Link
                  className={setting.open === 0 ? 'is-zero tn' : 'tn'}
                  to={findingsHref({ tool: [POSTURE_TOOL], rule: [setting.check] }, '', place.findingsPath)}
                  aria-label={t('{count} open findings about {setting}', {
                    count: formatNumber(setting.open),
                    setting: t(setting.label),
                  })}
                >
                  {formatNumber(setting.open)}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What the states of the controls rest on. */
export function FrameworkEvidence({ framework, place }: { framework: FrameworkDetail; place: FrameworksPlace }) {
  return (
    <div className="fw-evidence">
      <Families families={framework.families} />
      {framework.settings.length > 0 && <Settings settings={framework.settings} place={place} />}
    </div>
  );
}
