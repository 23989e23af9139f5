import { msg } from '../../platform/model/message.ts';
import type { ReferenceData } from './reference.ts';

/** Weaknesses that are mended in the same way. */
export interface WeaknessClass {
  readonly name: string;
  /** CWE ids; their descendants belong to it unless a nearer class names them. */
  readonly cwes: readonly number[];
  /** Work to mend one result, 0-100: a changed flag is 10, a changed call 20, several places 40, a changed design 60. */
  readonly effort: number;
  readonly advice: string;
}

/** Source: CWE 4.15 "Potential Mitigations" and the OWASP Cheat Sheet Series, in our words. */
export const WEAKNESS_CLASSES: readonly WeaknessClass[] = [
  {
    name: msg('cross-site scripting'),
    cwes: [79],
    effort: 25,
    advice: msg(
      'Escape the value for the place where it is shown (HTML, attribute, script, address), best by the template engine; clean HTML that must stay HTML with an allow list.',
    ),
  },
  {
    name: msg('query injection'),
    cwes: [89, 90, 91, 643, 943],
    effort: 25,
    advice: msg(
      'Hand values over as parameters of the query, never as part of its text; allow only known names for columns and tables.',
    ),
  },
  {
    name: msg('command injection'),
    cwes: [77, 78, 88],
    effort: 30,
    advice: msg(
      'Call the program without a shell and pass its arguments as a list; better, use a library instead of the program. Accept only values of an allow list.',
    ),
  },
  {
    name: msg('code injection'),
    cwes: [94, 95, 96, 98, 470],
    effort: 45,
    advice: msg(
      'Do not run text as code: replace the evaluation by a table of known operations, or by a parser of the data format.',
    ),
  },
  {
    name: msg('injection'),
    cwes: [74, 93, 113, 116, 117, 134],
    effort: 25,
    advice: msg('Encode or refuse the special characters of the receiving language before the value is put into it.'),
  },
  {
    name: msg('path traversal'),
    cwes: [22, 73],
    effort: 30,
    advice: msg(
      'Resolve the path and check that it still lies in the folder that is meant; better, let callers choose from known names instead of paths.',
    ),
  },
  {
    name: msg('unrestricted upload'),
    cwes: [434],
    effort: 40,
    advice: msg(
      'Accept only known file types, judged by content; give files new names and keep them where nothing is executed.',
    ),
  },
  {
    name: msg('unsafe deserialization'),
    cwes: [502],
    effort: 60,
    advice: msg(
      'Read a plain data format (JSON with a schema) instead of objects; where that cannot be, allow only named classes and verify a signature first.',
    ),
  },
  {
    name: msg('prototype or mass assignment'),
    cwes: [915, 1321],
    effort: 30,
    advice: msg(
      'Copy only named fields from the input, refuse __proto__, constructor and prototype, and use maps without a prototype.',
    ),
  },
  {
    name: msg('server-side request forgery'),
    cwes: [918],
    effort: 45,
    advice: msg(
      'Call only hosts of an allow list, refuse private and metadata addresses after the name was resolved, and do not follow redirects elsewhere.',
    ),
  },
  {
    name: msg('open redirect'),
    cwes: [601],
    effort: 20,
    advice: msg('Redirect only to paths of this application or to hosts of an allow list.'),
  },
  {
    name: msg('XML external entities'),
    cwes: [611, 776],
    effort: 15,
    advice: msg('Switch off external entities and document type definitions in the XML parser.'),
  },
  {
    name: msg('request forgery'),
    cwes: [352],
    effort: 30,
    advice: msg(
      "Check the origin of requests that change something, set SameSite on the session cookie, and add the framework's token where forms are used.",
    ),
  },
  {
    name: msg('missing access control'),
    cwes: [284, 285, 306, 639, 862, 863, 269],
    effort: 55,
    advice: msg(
      'Check on the server, at one place for all routes, that the caller may do this with this very object; deny what no rule allows.',
    ),
  },
  {
    name: msg('weak authentication'),
    cwes: [287, 384, 521, 613],
    effort: 50,
    advice: msg(
      "Use the framework's sign-in and sessions: a new session at sign-in, an end to it, limits for attempts, and a second factor.",
    ),
  },
  {
    name: msg('credential in code'),
    cwes: [259, 321, 798],
    effort: 30,
    advice: msg(
      'Revoke the credential and issue a new one, keep it outside the code (secret store or environment), and look through the history for others.',
    ),
  },
  {
    name: msg('badly kept credential'),
    cwes: [256, 522, 916],
    effort: 40,
    advice: msg(
      'Store passwords only as Argon2id or bcrypt hashes, and other credentials encrypted with a key that lies elsewhere.',
    ),
  },
  {
    name: msg('certificate not checked'),
    cwes: [295],
    effort: 15,
    advice: msg(
      'Switch the check of certificates on; trust an own authority by adding its certificate, not by trusting all.',
    ),
  },
  {
    name: msg('weak cryptography'),
    cwes: [326, 327, 328],
    effort: 30,
    advice: msg(
      "Use a current algorithm of the platform's library: AES-GCM or ChaCha20-Poly1305, SHA-256 or better, Argon2id for passwords; plan how stored data moves over.",
    ),
  },
  {
    name: msg('weak randomness'),
    cwes: [330, 331, 338],
    effort: 15,
    advice: msg('Take tokens, keys and identifiers from the cryptographic random generator of the platform.'),
  },
  {
    name: msg('missing encryption'),
    cwes: [311, 312, 319],
    effort: 35,
    advice: msg('Send it over TLS only and store it encrypted; leave out what need not be sent or kept.'),
  },
  {
    name: msg('cookie or header setting'),
    cwes: [614, 693, 942, 1004, 1021, 1275],
    effort: 10,
    advice: msg(
      'Set the missing flag or header: Secure, HttpOnly and SameSite on cookies, a content security policy and frame rules on pages, named origins for CORS.',
    ),
  },
  {
    name: msg('information disclosure'),
    cwes: [200, 209, 497, 532, 538],
    effort: 20,
    advice: msg(
      'Leave the details out of answers and logs; show a reference number and keep what belongs to it on the server.',
    ),
  },
  {
    name: msg('unverified data'),
    cwes: [345, 347, 353, 494, 829],
    effort: 30,
    advice: msg(
      'Verify signature or checksum before the data is used, and pin what is fetched to a version and a digest.',
    ),
  },
  {
    name: msg('wrong permissions'),
    cwes: [250, 276, 552, 732, 1188],
    effort: 15,
    advice: msg('Give only the rights that are needed: narrow the mode, role or user that it runs as.'),
  },
  {
    name: msg('memory safety'),
    cwes: [119, 120, 125, 190, 416, 476, 787],
    effort: 50,
    advice: msg(
      'Check lengths, bounds and results before memory is used; prefer the safe variants of the functions, and let sanitizers run in the tests.',
    ),
  },
  {
    name: msg('race'),
    cwes: [362, 367],
    effort: 60,
    advice: msg('Do check and use in one step: a lock, a transaction, or an atomic operation of the system.'),
  },
  {
    name: msg('resource exhaustion'),
    cwes: [400, 407, 770, 1333],
    effort: 35,
    advice: msg(
      'Limit size, number and time of what one caller may use; replace the pattern or algorithm whose cost grows faster than its input.',
    ),
  },
  {
    name: msg('outdated component'),
    cwes: [1035, 1104, 1329, 1357, 1395],
    effort: 40,
    advice: msg('Update the component to a maintained version, or replace it.'),
  },
  {
    name: msg('missing validation'),
    cwes: [20],
    effort: 30,
    advice: msg(
      'Check the input against what is allowed (type, length, range, pattern) where it enters, and refuse the rest.',
    ),
  },
];

const BY_CWE: ReadonlyMap<number, WeaknessClass> = new Map(
  WEAKNESS_CLASSES.flatMap((entry) => entry.cwes.map((id): [number, WeaknessClass] => [id, entry])),
);

/** The class of a weakness: its own, else that of the nearest ancestor. Pure. */
export const weaknessClassOf = (id: number, reference: Pick<ReferenceData, 'cwe'>): WeaknessClass | undefined => {
  const seen = new Set<number>();
  for (let level = [id]; level.length > 0; ) {
    const found = level.map((one) => BY_CWE.get(one)).find((entry) => entry !== undefined);
    if (found !== undefined) return found;
    for (const one of level) seen.add(one);
    level = level.flatMap((one) => reference.cwe(one)?.parents ?? []).filter((one) => !seen.has(one));
  }
  return undefined;
};

/** The class that takes the most work among several weaknesses. */
export const hardestClassOf = (
  ids: readonly number[],
  reference: Pick<ReferenceData, 'cwe'>,
): WeaknessClass | undefined =>
  ids
    .flatMap((id) => weaknessClassOf(id, reference) ?? [])
    .reduce<WeaknessClass | undefined>(
      (hardest, one) => (hardest === undefined || one.effort > hardest.effort ? one : hardest),
      undefined,
    );
