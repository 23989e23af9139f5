import { msg } from '../../platform/model/message.ts';
/**
 * What a licence asks of who passes the software on, mildest first. A sorting aid for people, no legal advice.
 * `network_copyleft`: offering it as a service already asks for the source. `proprietary`: restricts use, such as source-available
 * and non-commercial licences. `unknown`: not stated, or no licence this table knows.
 */
export const LICENSE_CLASSES = [
  'permissive',
  'weak_copyleft',
  'strong_copyleft',
  'network_copyleft',
  'proprietary',
  'unknown',
] as const;
export type LicenseClass = (typeof LICENSE_CLASSES)[number];

export const LICENSE_CLASS_LABELS: Readonly<Record<LicenseClass, string>> = {
  permissive: msg('Permissive'),
  weak_copyleft: msg('Weak copyleft'),
  strong_copyleft: msg('Strong copyleft'),
  network_copyleft: msg('Network copyleft'),
  proprietary: msg('Proprietary'),
  unknown: msg('Unknown'),
};

/** What a class asks of whoever passes the software on, in one sentence. */
export const LICENSE_CLASS_MEANINGS: Readonly<Record<LicenseClass, string>> = {
  permissive: msg('Asks for notices at most.'),
  weak_copyleft: msg('Changes to the component itself have to be passed on under its licence.'),
  strong_copyleft: msg('A work that contains it has to be passed on under its licence.'),
  network_copyleft: msg('Offering it over a network already obliges to pass the source on.'),
  proprietary: msg('Use is restricted or needs a permission of its owner.'),
  unknown: msg('No licence is stated, or none that the table knows.'),
};
