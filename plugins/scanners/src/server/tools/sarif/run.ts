import type { FindingType } from '@breakwater/sdk';
import { familyOf } from '../../lib/families.ts';
import type { JsonNode } from '../../lib/json-report.ts';
import { fields, isRecord, label, number } from '../../lib/read.ts';
import { type Evidence, typeOf } from './classify.ts';
import type { RunRules } from './rules.ts';

/** What the uploader's choice of tool says about the results. */
export interface Chosen {
  /** Type of all results. */
  type?: FindingType;
  /** Families that checks of configuration may be taken for. */
  families?: readonly FindingType[];
  /** Family of the catalogue card; tells images from folders where the report does not. */
  family?: string;
}

/** What results of one run refer to: rules, and artifacts and flow steps by index, which are parsed when asked for. */
export class SarifRun {
  readonly rules: RunRules;
  readonly toolName: string;
  private readonly chosen: Chosen;
  private readonly bytes: Buffer;
  private readonly node: JsonNode;
  private readonly cache = new Map<string, Record<string, unknown>>();

  constructor(bytes: Buffer, node: JsonNode, rules: RunRules, chosen: Chosen) {
    this.bytes = bytes;
    this.node = node;
    this.rules = rules;
    this.chosen = chosen;
    this.toolName = label(fields(fields(node.values.get('tool')).driver).name) ?? '';
  }

  typeOf(evidence: Omit<Evidence, 'toolName'>): FindingType {
    if (this.chosen.type !== undefined) return this.chosen.type;
    const type = typeOf({ ...evidence, toolName: this.toolName });
    if (type === 'IaC') return familyOf(this.chosen.family, this.chosen.families ?? []) ?? type;
    return type === 'SCA' && this.chosen.family === 'Container' ? 'Container' : type;
  }

  /** Address of the artifact at `index`. */
  artifactUri(index: unknown): unknown {
    return fields(this.element('artifacts', index).location).uri;
  }

  flowLocation(index: unknown): Record<string, unknown> {
    return this.element('threadFlowLocations', index);
  }

  private element(list: string, index: unknown): Record<string, unknown> {
    const ranges = this.node.records.get(list);
    const at = number(index);
    if (ranges === undefined || at === undefined || !Number.isInteger(at) || at < 0 || at >= ranges.length)
      return fields(undefined);
    const key = `${list} ${at}`;
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    const value = parsed(this.bytes, ranges.start(at), ranges.end(at));
    if (this.cache.size < 10_000) this.cache.set(key, value);
    return value;
  }
}

function parsed(bytes: Buffer, from: number, end: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', from, end));
    return isRecord(value) ? value : fields(undefined);
  } catch {
    // Only what points here is lost; the result itself stands.
    return fields(undefined);
  }
}
