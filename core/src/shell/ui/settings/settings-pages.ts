import { msg } from '../../../platform/model/message.ts';
import { can, type Permission, type Role } from '../../../platform/model/permissions.ts';
import { t } from '../../../platform/ui/language/translate.ts';

export const SETTINGS_SECTIONS = [msg('You'), msg('People and access'), msg('Findings'), msg('Connections')] as const;

/** One page of settings, as the home of all settings lists it. */
export interface SettingsPage {
  section: (typeof SETTINGS_SECTIONS)[number];
  label: string;
  /** What is set there, in one sentence. */
  about: string;
  path: string;
  /** Absent: everybody. */
  permission?: Permission;
}

/** The pages that a role may open and that have every word of the search in their texts. */
export const settingsFor = (
  pages: readonly SettingsPage[],
  { role, search }: { role: Role | undefined; search: string },
): SettingsPage[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return pages.filter(({ permission, section, label, about }) => {
    if (permission !== undefined && !can(role, permission)) return false;
    const text = `${t(section)} ${t(label)} ${t(about)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
};
