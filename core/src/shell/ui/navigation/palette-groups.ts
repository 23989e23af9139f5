import { useNavigate } from 'react-router-dom';
import { can } from '../../../platform/model/permissions.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../../platform/ui/data/uploads-port.ts';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { THEME } from '../../../platform/ui/page/theme.store.ts';
import { settingsPages } from '../settings/all-pages.ts';
import { settingsFor } from '../settings/settings-pages.ts';
import { COMMANDS } from './commands.store.ts';
import { NAVIGATION } from './navigation.store.ts';
import type { PaletteStore } from './palette.store.ts';
import { fitting, type PaletteGroup, type PaletteLine, rankGroups } from './palette-lines.ts';
import { SESSION } from './shell-ports.ts';

const FINDING_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What can be done on every page. */
const useActsOfShell = (): PaletteLine[] => {
  const theme = useService(THEME);
  const uploads = useService(UPLOADS);
  const session = useService(SESSION);
  const toasts = useService(TOASTS);
  const navigate = useNavigate();
  const { user, isCompact } = session;
  return [
    ...(can(user?.role, 'scans.upload')
      ? [{ id: 'act:upload', label: t('Upload reports'), run: () => uploads.open() }]
      : []),
    ...(theme.isDark
      ? [{ id: 'act:light', label: t('Use light mode'), run: () => theme.setPreference('light') }]
      : [{ id: 'act:dark', label: t('Use dark mode'), run: () => theme.setPreference('dark') }]),
    {
      id: 'act:density',
      label: isCompact ? t('Comfortable rows') : t('Compact rows'),
      run: () => void session.setCompact(!isCompact).catch(toasts.showError),
    },
    { id: 'act:help', label: t('Help and keys'), run: () => void navigate('/help') },
  ];
};

const useKnown = (text: string): PaletteGroup[] => {
  const navigate = useNavigate();
  const commands = useService(COMMANDS);
  const navigation = useService(NAVIGATION);
  const { user } = useService(SESSION);
  const acts = [
    ...commands.all.map((of) => ({ id: `do:${of.label}`, label: t(of.label), hotkey: of.key, run: of.run })),
    ...useActsOfShell(),
  ];
  const pages = (['work', 'organization'] as const).flatMap((group) =>
    navigation.entriesOf(group).map(({ path, label }) => ({
      id: `page:${path}`,
      label: t('Go to {label}', { label: t(label) }),
      run: () => void navigate(path),
    })),
  );
  const settings =
    text === ''
      ? []
      : settingsFor(settingsPages, { role: user?.role, search: text }).map(({ path, label, about }) => ({
          id: `setting:${path}`,
          label: t(label),
          detail: t(about),
          run: () => void navigate(path),
        }));
  return [
    { title: t('Acts'), lines: fitting(acts, text), isLocal: true },
    { title: t('Pages'), lines: fitting(pages, text), isLocal: true },
    { title: t('Settings'), lines: fitting(settings, text).slice(0, 5), isLocal: true },
  ];
};

/** The list that has everything with these words; in front where the text can be nothing but an id. */
const useAsked = (text: string): PaletteLine => {
  const navigate = useNavigate();
  const line = (label: string, to: string): PaletteLine => ({ id: 'asked', label, run: () => void navigate(to) });
  const query = encodeURIComponent(text);
  if (can(useService(SESSION).user?.role, 'clients.manage'))
    return line(t('Search clients for “{text}”', { text }), `/manage-clients?search=${query}`);
  return FINDING_ID.test(text)
    ? line(t('Open finding {text}', { text }), `/findings/all/finding-details/${text.toLowerCase()}`)
    : line(t('Search findings for “{text}”', { text }), `/findings?search=${query}`);
};

/** What the text may mean: an act, a page, a setting, or what the server found. */
export const usePaletteGroups = (typed: string, store: PaletteStore): PaletteGroup[] => {
  const navigate = useNavigate();
  const text = typed.trim();
  const known = useKnown(text);
  const asked: PaletteGroup = { title: '', lines: [useAsked(text)] };
  if (text === '') return rankGroups(known, text);
  if (FINDING_ID.test(text)) return [asked];
  const found = store.found.map(({ group, hits }) => ({
    title: t(group),
    lines: hits.map(({ id, label, detail, to }) => ({
      id: `${group}:${id}`,
      label,
      detail,
      run: () => void navigate(to),
    })),
  }));
  return [...rankGroups([...known, ...found], text), asked];
};
