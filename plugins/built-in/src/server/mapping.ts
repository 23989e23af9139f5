import { fillTicketTemplate, type Json, type TicketDraft, type TicketValues } from '@breakwater/sdk';

/** What is wrong with a mapping of ticket fields, as a sentence; undefined for a sound one. */
export function issueOfMapping(mapping: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(mapping)) {
    if (name.trim() === '' || name.length > 100)
      return 'A ticket field has no name, or one of more than 100 characters.';
    if (value.trim() === '') return `The ticket field "${name}" is filled with nothing.`;
  }
  return undefined;
}

/** The ticket that a mapping makes of these values: its keys, with their templates filled in. */
export function filledTicket(mapping: Readonly<Record<string, string>>, values: TicketValues): TicketDraft {
  const filled = Object.entries(mapping).map(([name, value]) => [name, fillTicketTemplate(value, values)] as const);
  return Object.fromEntries(filled);
}

/** Names that stood for a field of the remediation up to version 0.1, with what they are now. */
const FORMER: Readonly<Record<string, string>> = {
  _id: '{{remediation.id}}',
  finding_id: '{{finding.id}}',
  repository_id: '{{repository.id}}',
  title: '{{remediation.title}}',
  description: '{{remediation.description}}',
  date: '{{remediation.date}}',
  file_path: '{{remediation.file_path}}',
  line: '{{remediation.line}}',
  remediation_type: '{{remediation.remediation_type}}',
  processing_status: '{{remediation.processing_status}}',
  code_diff: '{{remediation.code_diff}}',
  code_snippet: '{{remediation.code_snippet}}',
  reference_url: '{{remediation.reference_url}}',
};

/** A mapping as version 0.1 stored it, in templates: every value was the name of a field or a fixed text. */
export function templatesOf(config: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const { mapping } = config;
  if (typeof mapping !== 'object' || mapping === null || Array.isArray(mapping)) return config;
  const values = Object.entries(mapping).map(([name, value]): [string, Json] => [name, templateOf(value)]);
  return { ...config, mapping: Object.fromEntries(values) };
}

function templateOf(value: Json): Json {
  if (typeof value !== 'string') return value;
  // braces of a fixed text begin no template
  return Object.hasOwn(FORMER, value)
    ? (FORMER[value] ?? value)
    : value.replaceAll('{{', '{ {').replaceAll('}}', '} }');
}
