import { checkPlugin } from '@breakwater/sdk/testing';
import { expect, it } from 'vitest';
import { readBy } from './catalogue/report-entry.ts';
import { plugin } from './plugin.ts';
import { parsers } from './server/index.ts';
import { server } from './server/services/index.ts';

it('passes the conformance kit', () => {
  expect(checkPlugin(plugin, { parsers, server })).toEqual([]);
});

it('says of a catalogue entry whose importer is not there that it comes later, and of no other', () => {
  const entry = { family: 'SAST', description: 'Finds insecure code.' } as const;
  expect(readBy({ ...entry, tool: 'nothing-reads-this' })).toEqual({
    description: 'Finds insecure code; importer comes with the next release.',
  });
  expect(readBy({ ...entry, tool: 'opengrep' })).toEqual({
    description: 'Finds insecure code.',
    parser: { tool: 'opengrep', family: 'SAST' },
  });
  for (const { parser, description } of plugin.connectors) {
    if (parser !== undefined) expect(description).not.toContain('next release');
  }
});

it('reads SARIF without a catalogue entry of its own', () => {
  expect(plugin.importers).toContainEqual({ tool: 'sarif', title: 'SARIF' });
  expect(plugin.connectors.map((connector) => connector.parser?.tool)).not.toContain('sarif');
});
