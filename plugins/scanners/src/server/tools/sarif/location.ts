import type { Location } from '@breakwater/sdk';
import { normalisePath } from '../../lib/findings/packages.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, label, list, position, text } from '../../lib/values/read.ts';
import { decoded, filePath } from './file-address.ts';
import type { SarifRun } from './run.ts';

export function locationsOf(value: unknown, run: SarifRun): Location[] {
  return list(value)
    .slice(0, LIMITS.locations)
    .flatMap((entry) => locationOf(entry, run));
}

export function codeFlowsOf(value: unknown, run: SarifRun): Location[][] | undefined {
  const flows = list(value)
    .flatMap((flow) => list(fields(flow).threadFlows))
    .slice(0, LIMITS.flows)
    .map((thread) =>
      list(fields(thread).locations)
        .slice(0, LIMITS.flowSteps)
        .flatMap((step) => stepOf(step, run)),
    )
    .filter((steps) => steps.length > 0);
  return flows.length === 0 ? undefined : flows;
}

function stepOf(value: unknown, run: SarifRun): Location[] {
  const { location, index } = fields(value);
  return locationOf(location ?? run.flowLocation(index).location, run);
}

function locationOf(value: unknown, run: SarifRun): Location[] {
  const { physicalLocation, logicalLocations, message } = fields(value);
  const { artifactLocation, region, contextRegion } = fields(physicalLocation);
  const { uri, index } = fields(artifactLocation);
  const path = pathOf(uri ?? run.artifactUri(index), run) ?? logicalName(logicalLocations);
  if (path === undefined) return [];
  const place = fields(region);
  return [
    defined({
      path,
      startLine: position(place.startLine),
      endLine: position(place.endLine),
      startColumn: position(place.startColumn),
      endColumn: position(place.endColumn),
      snippet: snippetOf(place) ?? snippetOf(fields(contextRegion)),
      message: text(fields(message).text, 2_000),
    }),
  ];
}

function pathOf(uri: unknown, run: SarifRun): string | undefined {
  if (typeof uri !== 'string') return undefined;
  const file = filePath(uri);
  if (file !== undefined) return run.pathOf(file);
  // Relative addresses are file names with escapes; those of the web stay as the tool wrote them.
  return normalisePath(/^[a-z][a-z0-9+.-]*:/i.test(uri) || !uri.includes('%') ? uri : decoded(uri));
}

/** Results about a type or function may have no file. */
function logicalName(value: unknown): string | undefined {
  for (const entry of list(value)) {
    const { fullyQualifiedName, name } = fields(entry);
    const found = label(fullyQualifiedName) ?? label(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function snippetOf(region: Record<string, unknown>): string | undefined {
  const { text: code } = fields(region.snippet);
  return typeof code === 'string' && code.trim() !== '' ? clean(code, LIMITS.snippetChars) : undefined;
}
