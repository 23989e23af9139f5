/**
 * Texts of tickets with places to be filled in: `{{finding.title}} in {{repository.name}}`. Look-ups only, never code; what is filled in is not
 * read again. Signs of two braces that name nothing known are no text but an error.
 */

/** What a ticket may say, with what a test sends in its place. */
export const TICKET_VALUES = {
  'finding.id': '00000000-0000-7000-8000-000000000000',
  /** Its page in Breakwater; empty where the server does not know its own address. */
  'finding.url': 'https://breakwater.example/findings/test',
  'finding.title': 'Test by Breakwater',
  // no text: sent to the service
  'finding.description': 'This is a test by Breakwater. It is no ticket; nothing needs to be done.',
  'finding.severity': 'low',
  'finding.status': 'ready',
  'finding.type': 'SAST',
  'finding.tool': 'breakwater',
  'finding.rule': 'example-rule',
  'finding.cve': 'CVE-2026-0000',
  'finding.cwe': 'CWE-1000',
  'finding.file': 'src/example.ts',
  'finding.line': '1',
  'finding.component': 'example',
  'finding.component_version': '1.0.0',
  'finding.fixed_version': '1.0.1',
  'remediation.id': '00000000-0000-7000-8000-000000000000',
  'remediation.title': 'Test by Breakwater',
  // no text: sent to the service
  'remediation.description': 'This is a test by Breakwater. It is no ticket; nothing needs to be done.',
  'remediation.date': '2026-01-01T00:00:00.000Z',
  'remediation.processing_status': 'ready',
  'remediation.remediation_type': 'issue',
  'remediation.reference_url': 'https://breakwater.example/test',
  'remediation.branch': 'main',
  'remediation.file_path': 'src/example.ts',
  'remediation.line': '1',
  'remediation.code_diff': '',
  'remediation.code_snippet': '',
  'repository.id': '00000000-0000-7000-8000-000000000000',
  'repository.name': 'example',
  'repository.url': 'https://breakwater.example/example.git',
  'repository.branch': 'main',
} as const satisfies Record<string, string>;

export type TicketValue = keyof typeof TICKET_VALUES;

const escaped = Object.keys(TICKET_VALUES).map((name) => name.replaceAll('.', '\\.'));

/** What a template is: text, braces that stand alone, and known names in two braces. For JSON Schema. */
export const TICKET_TEMPLATE_PATTERN = `^(?:[^{}]|\\{(?!\\{)|\\}(?!\\})|\\{\\{ ?(?:${escaped.join('|')}) ?\\}\\})*$`;

const isKnown = (name: string): name is TicketValue => Object.hasOwn(TICKET_VALUES, name);

/** The text with its values filled in. */
export const fillTicketTemplate = (template: string, values: Readonly<Record<TicketValue, string>>): string =>
  template.replaceAll(/\{\{ ?([a-z_.]+) ?\}\}/g, (whole, name: string) => (isKnown(name) ? values[name] : whole));
