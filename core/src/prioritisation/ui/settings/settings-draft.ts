import {
  changedSettings,
  type PrioritySettings,
  type PrioritySettingsChange,
  settingEntries,
} from '../../model/settings/priority-settings.ts';
import { fieldKey } from './setting-words.ts';

/** The form as somebody fills it in: what was typed, also where it is no number. */
export interface SettingsDraft {
  toggle: boolean;
  texts: Record<string, string>;
}

export const draftOf = (settings: PrioritySettings): SettingsDraft => ({
  toggle: settings.toggle,
  texts: Object.fromEntries(
    settingEntries(settings).map(({ group, name, weight }) => [fieldKey(group, name), `${weight}`]),
  ),
});

export const NOT_A_WEIGHT = 'A whole number from 0 to 100.';

const weightOf = (text: string | undefined): number | undefined => {
  const trimmed = text?.trim() ?? '';
  if (!/^\d{1,3}$/.test(trimmed)) return undefined;
  const weight = Number(trimmed);
  return weight <= 100 ? weight : undefined;
};

/** Faults by field; empty where the draft can be sent. */
export const draftFaults = ({ texts }: SettingsDraft): Map<string, string> =>
  new Map(
    Object.entries(texts).flatMap(([key, text]): [string, string][] =>
      weightOf(text) === undefined ? [[key, NOT_A_WEIGHT]] : [],
    ),
  );

/** The settings that a draft comes to; what is no number keeps what it was. */
export const settingsOf = (draft: SettingsDraft, stored: PrioritySettings): PrioritySettings => {
  const of = (group: Parameters<typeof fieldKey>[0], names: object): Record<string, number | undefined> =>
    Object.fromEntries(Object.keys(names).map((name) => [name, weightOf(draft.texts[fieldKey(group, name)])]));
  const change: PrioritySettingsChange = {
    toggle: draft.toggle,
    industryStandardFrameworks: of('industryStandardFrameworks', stored.industryStandardFrameworks),
    complianceFrameworks: of('complianceFrameworks', stored.complianceFrameworks),
    exploitabilityFactors: of('exploitabilityFactors', stored.exploitabilityFactors),
    impactOnCriticalSystems: of('impactOnCriticalSystems', stored.impactOnCriticalSystems),
    complianceStandars: of('complianceStandars', stored.complianceStandars),
  };
  return changedSettings(stored, change);
};
