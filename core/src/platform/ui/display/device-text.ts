import { t } from '../language/translate.ts';

/** As `deviceOf()` of the server puts the two together. */
const BEFORE_SYSTEM = ' on ';

/** `Firefox 132 on Windows` as the reader says it; the names of programs and systems stay. */
export const deviceText = (device: string): string => {
  const at = device.lastIndexOf(BEFORE_SYSTEM);
  if (at < 1) return device;
  return t('{program} on {system}', { program: device.slice(0, at), system: device.slice(at + BEFORE_SYSTEM.length) });
};
