import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { loadSettingsState } from '../../../clients/ui/index.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { SearchField } from '../../../platform/ui/forms/search-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../navigation/shell-ports.ts';
import { SETTINGS_SECTIONS, type SettingsPage, settingsFor } from './settings-pages.ts';
import './settings.css';

interface SectionProps {
  title: string;
  pages: readonly SettingsPage[];
  /** How each stands, by its path. */
  states: Readonly<Record<string, string>>;
}

function Section({ title, pages, states }: SectionProps) {
  return (
    <section className="settings-section" aria-label={t(title)}>
      <h2>{t(title)}</h2>
      <ul>
        {pages.map(({ label, about, path }) => (
          <li key={path}>
            <Link to={path}>{t(label)}</Link>
            <p className="muted small">{t(about)}</p>
            {states[path] !== undefined && <p className="state small">{states[path]}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const NONE: Readonly<Record<string, string>> = {};

/** How the settings stand. The page is whole without it: what fails here is said nowhere. */
const useStates = (): Readonly<Record<string, string>> => {
  const api = useService(API);
  const [states, setStates] = useState(NONE);
  useEffect(() => {
    const leaving = new AbortController();
    loadSettingsState(api, leaving.signal).then(setStates, () => undefined);
    return () => leaving.abort();
  }, [api]);
  return states;
};

/** `/settings`: the way to every page of settings that this person may open. */
export const SettingsScreen = observer(function SettingsScreen({ pages }: { pages: readonly SettingsPage[] }) {
  const session = useService(SESSION);
  const [search, setSearch] = useState('');
  const states = useStates();
  const found = settingsFor(pages, { role: session.user?.role, search });
  const sections = SETTINGS_SECTIONS.map((title) => ({
    title,
    pages: found.filter(({ section }) => section === title),
  })).filter((section) => section.pages.length > 0);
  return (
    <div className="canvas">
      <PageHead title={t('Settings')} />
      <div className="settings-home">
        <SearchField
          label={t('Search settings')}
          placeholder={t('Search settings')}
          search={search}
          onSearch={setSearch}
        />
        {sections.length === 0 && <p className="muted">{t('No page of settings has all of these words.')}</p>}
        <div className="settings-sections">
          {sections.map((section) => (
            <Section key={section.title} {...section} states={states} />
          ))}
        </div>
      </div>
    </div>
  );
});
