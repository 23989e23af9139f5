/** Fields of a remediation that a ticket may hold, with what the test sends in their place. Source: specification §3 "Remediation detail". */
const SAMPLE: Readonly<Record<string, string>> = {
  _id: '00000000-0000-7000-8000-000000000000',
  finding_id: '00000000-0000-7000-8000-000000000000',
  repository_id: '00000000-0000-7000-8000-000000000000',
  title: 'Test by Breakwater',
  description: 'This is a test by Breakwater. It is no ticket; nothing needs to be done.',
  date: '2026-01-01T00:00:00.000Z',
  file_path: 'src/example.ts',
  line: '1',
  remediation_type: 'issue',
  processing_status: 'ready',
  code_diff: '',
  code_snippet: '',
  reference_url: 'https://breakwater.example/test',
};

/** What is wrong with a mapping of ticket fields, as a sentence; undefined for a sound one. */
export function issueOfMapping(mapping: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(mapping)) {
    if (name.trim() === '' || name.length > 100)
      return 'A ticket field has no name, or one of more than 100 characters.';
    if (value.trim() === '') return `The ticket field "${name}" is filled with nothing.`;
  }
  return undefined;
}

/**
 * The ticket that a mapping makes of the sample: a field of the remediation gives its value, anything else is a fixed text, such as the
 * key of a project.
 */
export function sampleTicket(mapping: Readonly<Record<string, string>>): Record<string, string> {
  const filled = Object.entries(mapping).map(([name, value]) => [name, filledWith(value)] as const);
  return Object.fromEntries(filled);
}

function filledWith(value: string): string {
  return Object.hasOwn(SAMPLE, value) ? (SAMPLE[value] ?? '') : value;
}
