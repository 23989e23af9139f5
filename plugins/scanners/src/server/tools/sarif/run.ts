import type { FindingType, NormalizedFinding } from '@breakwater/sdk';
import { familyOf } from '../../lib/findings/packages.ts';
import type { JsonNode } from '../../lib/json/report.ts';
import { LATER } from '../../lib/json/stream-parser.ts';
import { KeptByKey } from '../../lib/values/kept.ts';
import { fields, isRecord, label, number } from '../../lib/values/read.ts';
import { CheckoutRoot, type FileNames, fileAddressesIn } from './file-address.ts';
import { type Evidence, RunRules, typeOf } from './rules.ts';

/** What the uploader's choice of tool says about the results. */
export interface Chosen {
  /** Type of all results. */
  type?: FindingType;
  /** Families that checks of configuration may be taken for. */
  families?: readonly FindingType[];
  /** Family of the catalogue entry; tells images from folders where the report does not. */
  family?: string;
  fileNames: FileNames;
}

interface Known {
  rules: RunRules;
  statements: KeptByKey<NormalizedFinding>;
  tool: unknown;
  taxonomies: unknown;
}

/** What results of one run refer to: rules, and artifacts and flow steps by index. It grows while the report arrives. */
export class SarifRun {
  private readonly chosen: Chosen;
  private readonly node: JsonNode;
  private readonly artifactUris: unknown[] = [];
  /** As JSON, in which they take the least. */
  private readonly flowSteps: string[] = [];
  private readonly cache = new Map<number, Record<string, unknown>>();
  private known: Known | undefined;
  private lacksSomething = false;
  private readonly checkout: CheckoutRoot;
  private isCheckoutKnown = false;

  constructor(node: JsonNode, chosen: Chosen) {
    this.node = node;
    this.chosen = chosen;
    this.checkout = new CheckoutRoot(chosen.fileNames);
  }

  /** False while the tool may still come. */
  get hasTool(): boolean {
    return this.node.isClosed || this.node.values.has('tool');
  }

  /** Name of the tool; empty when it is not said. */
  get toolName(): string {
    return label(fields(fields(this.node.values.get('tool')).driver).name) ?? '';
  }

  get rules(): RunRules {
    return this.facts().rules;
  }

  /** What results say is wrong, by rule, as long as the rules are the same. */
  get statements(): KeptByKey<NormalizedFinding> {
    return this.facts().statements;
  }

  private facts(): Known {
    const { values } = this.node;
    const tool = values.get('tool');
    const taxonomies = values.get('taxonomies');
    if (this.known === undefined || this.known.tool !== tool || this.known.taxonomies !== taxonomies)
      this.known = { rules: new RunRules(tool, taxonomies), statements: new KeptByKey(), tool, taxonomies };
    return this.known;
  }

  /** What `make` makes of a result of this run, unless the result refers to something that may still come. */
  whenKnown<T>(make: () => T): T | typeof LATER {
    const made = make();
    const lacks = this.lacksSomething && !this.node.isClosed;
    this.lacksSomething = false;
    return lacks ? LATER : made;
  }

  typeOf(evidence: Omit<Evidence, 'toolName'>): FindingType {
    if (this.chosen.type !== undefined) return this.chosen.type;
    const type = typeOf({ ...evidence, toolName: this.toolName });
    if (type === 'IaC') return familyOf(this.chosen.family, this.chosen.families ?? []) ?? type;
    return type === 'SCA' && this.chosen.family === 'Container' ? 'Container' : type;
  }

  addArtifact(value: unknown): void {
    const { uri } = fields(fields(value).location);
    this.artifactUris.push(uri);
    this.checkout.add(uri);
  }

  /** Takes notice of where files of results lie, before any is read. */
  survey(results: Buffer): void {
    if (this.chosen.fileNames !== 'absolute')
      for (const address of fileAddressesIn(results)) this.checkout.add(address);
  }

  /** Path of a file by its absolute one: in the checkout, which is known once all results have been seen. */
  pathOf(path: string): string {
    if (this.chosen.fileNames === 'absolute') return path;
    if (!this.node.isClosed) {
      this.lacksSomething = true;
      return path;
    }
    if (!this.isCheckoutKnown) {
      const invocations = (this.node.children.get('invocations') ?? []).map(({ values }) => Object.fromEntries(values));
      this.checkout.declare(this.node.values.get('originalUriBaseIds'), invocations);
      this.isCheckoutKnown = true;
    }
    return this.checkout.relative(path);
  }

  addFlowLocation(value: unknown): void {
    this.flowSteps.push(isRecord(value) ? JSON.stringify(value) : '{}');
  }

  cweOf(reference: unknown): unknown {
    if (!this.rules.knowsTaxonomyOf(reference)) this.lacksSomething = true;
    return this.rules.cweOf(reference);
  }

  /** Address of the artifact at `index`. */
  artifactUri(index: unknown): unknown {
    const at = this.place(index, this.artifactUris.length);
    return at === undefined ? undefined : this.artifactUris[at];
  }

  flowLocation(index: unknown): Record<string, unknown> {
    const at = this.place(index, this.flowSteps.length);
    if (at === undefined) return fields(undefined);
    const known = this.cache.get(at);
    if (known !== undefined) return known;
    const value: unknown = JSON.parse(this.flowSteps[at] ?? '{}');
    const step = fields(value);
    if (this.cache.size < 10_000) this.cache.set(at, step);
    return step;
  }

  private place(index: unknown, length: number): number | undefined {
    const at = number(index);
    if (at === undefined || !Number.isInteger(at) || at < 0) return undefined;
    if (at < length) return at;
    this.lacksSomething = true;
    return undefined;
  }
}
