import { msg } from '../../platform/model/message.ts';

interface FlawKind {
  label: string;
  /** What the report's sentence says of it; the first kind that fits is taken. */
  text: RegExp;
  cwe: readonly number[];
}

/** Kinds of flaws as people call them, the more exact ones first. Source: CWE 4.20, names of the weaknesses. */
const KINDS: readonly FlawKind[] = [
  { label: msg('prototype pollution'), text: /prototype pollution/i, cwe: [1321] },
  { label: msg('slow regular expression'), text: /\bredos\b|regular expression denial/i, cwe: [1333] },
  { label: msg('SQL injection'), text: /sql injection/i, cwe: [89, 564] },
  { label: msg('command injection'), text: /(?:command|shell) injection/i, cwe: [77, 78] },
  { label: msg('cross-site scripting'), text: /cross-site scripting|\bxss\b/i, cwe: [79, 80, 83] },
  { label: msg('request forgery by the server'), text: /server-side request forgery|\bssrf\b/i, cwe: [918] },
  { label: msg('cross-site request forgery'), text: /cross-site request forgery|\bcsrf\b/i, cwe: [352] },
  { label: msg('path traversal'), text: /(?:path|directory) traversal|zip slip/i, cwe: [22, 23, 29, 36] },
  { label: msg('external XML entities'), text: /xml external entit|\bxxe\b/i, cwe: [611] },
  { label: msg('open redirect'), text: /open redirect/i, cwe: [601] },
  { label: msg('request smuggling'), text: /request smuggling|response splitting/i, cwe: [113, 444] },
  { label: msg('unsafe deserialization'), text: /deserializ|deserialis/i, cwe: [502] },
  {
    label: msg('code execution'),
    text: /(?:arbitrary|remote|unexpected) code|code execution|execute arbitrary|code injection/i,
    cwe: [94, 95, 1336],
  },
  {
    label: msg('signature check bypass'),
    text: /verification bypass|signature (?:verification|validation|bypass|forgery)/i,
    cwe: [295, 347],
  },
  {
    label: msg('authorization bypass'),
    text: /authori[sz]ation bypass|access control|privilege escalation/i,
    cwe: [269, 284, 285, 639, 862, 863],
  },
  { label: msg('authentication bypass'), text: /authentication bypass/i, cwe: [287, 290, 306] },
  {
    label: msg('memory corruption'),
    text: /buffer overflow|out.of.bounds|use.after.free|memory corruption/i,
    cwe: [119, 120, 121, 122, 125, 416, 787],
  },
  {
    label: msg('denial of service'),
    text: /denial.of.service|resource consumption|excessive|unbounded|\bpanics?\b|infinite loop|exhaust|large amounts of|expend significant|to consume /i,
    cwe: [400, 674, 770, 835],
  },
  {
    label: msg('disclosure of information'),
    text: /information (?:disclosure|leak|exposure)|discloses? /i,
    cwe: [200, 203, 209, 532],
  },
  { label: msg('bypass of a check'), text: /bypass/i, cwe: [] },
  { label: msg('missing check of input'), text: /improper input validation/i, cwe: [20] },
];

/** The kind of a flaw in few words: by what the report says, else by its weaknesses. Undefined where neither tells one. */
export const flawKind = (sentence: string, cwe: readonly number[]): string | undefined =>
  (KINDS.find(({ text }) => text.test(sentence)) ?? KINDS.find((kind) => kind.cwe.some((id) => cwe.includes(id))))
    ?.label;
