import { CERTAINTY, type Tie } from './correlate.ts';

/** A failed check of configuration that is in a class. */
export interface Misconfiguration {
  id: string;
  tool: string;
  /** Path without a leading `/`. */
  place: string;
  checkClass: string;
  /** As the tool names it. */
  resource: string | null;
  line: number | null;
  endLine: number | null;
}

const TYPED = /(?:^|\.)([a-z][a-z0-9]*_[a-z0-9_]+)(?:\[([^\]]+)\]|\.([\w-]+))/;
const NAMED = /metadata\.name=(?:\{\{)?([^}.\s]+)/;

/** `aws_s3_bucket.logs` of Terraform's `module.a.aws_s3_bucket.logs`, `aws_s3_bucket[logs]`; undefined for others. */
export const typedResource = (resource: string): string | undefined => {
  const [, type, bracketed, dotted] = TYPED.exec(resource) ?? [];
  return type === undefined ? undefined : `${type}.${bracketed ?? dotted ?? ''}`;
};

/** Name alone: of Terraform, Kubernetes and CloudFormation. */
export const resourceName = (resource: string): string => {
  const typed = typedResource(resource);
  if (typed !== undefined) return typed.slice(typed.indexOf('.') + 1);
  const name = NAMED.exec(resource)?.[1] ?? /[^./]+$/.exec(resource)?.[0] ?? resource;
  return name.toLowerCase();
};

type Same = (a: Misconfiguration, b: Misconfiguration) => boolean;

const isSameResource: Same = (a, b) => {
  const [left, right] = [typedResource(a.resource ?? ''), typedResource(b.resource ?? '')];
  return left !== undefined && left === right;
};
const isOtherResource: Same = (a, b) => {
  const [left, right] = [typedResource(a.resource ?? ''), typedResource(b.resource ?? '')];
  return left !== undefined && right !== undefined && left !== right;
};
const isSameName: Same = (a, b) =>
  a.resource !== null &&
  b.resource !== null &&
  !isOtherResource(a, b) &&
  resourceName(a.resource) === resourceName(b.resource);
const isOverlapping: Same = (a, b) =>
  a.line !== null &&
  b.line !== null &&
  !isOtherResource(a, b) &&
  a.line <= (b.endLine ?? b.line) &&
  b.line <= (a.endLine ?? a.line);
/** Some tools give such a check a line of the file, others the whole file or none. */
const isOfWholeFile: Same = (a) => a.checkClass.startsWith('image ');

const ROUNDS: readonly { same: Same; certainty: Tie['certainty'] }[] = [
  { same: isSameResource, certainty: CERTAINTY.certain },
  { same: isSameName, certainty: CERTAINTY.likely },
  { same: isOverlapping, certainty: CERTAINTY.likely },
  { same: isOfWholeFile, certainty: CERTAINTY.likely },
];

/** Where one file has more failures of one class, comparing each with each would take longer than it tells. */
const MAX_COMPARED = 100;

/** Ties of two tools; where one result fits several of the other tool's, it is only possibly the same, and nothing is tied. */
const tieTools = (left: readonly Misconfiguration[], right: readonly Misconfiguration[]): Tie[] => {
  const tied = new Set<Misconfiguration>();
  return ROUNDS.flatMap(({ same, certainty }) => {
    const [as, bs] = [left.filter((one) => !tied.has(one)), right.filter((one) => !tied.has(one))];
    return as.flatMap((a) => {
      const fitting = bs.filter((b) => same(a, b));
      const [b] = fitting;
      if (b === undefined || fitting.length > 1 || as.some((other) => other !== a && same(other, b))) return [];
      tied.add(a).add(b);
      return [{ a: a.id, b: b.id, certainty }];
    });
  });
};

const groupBy = (items: readonly Misconfiguration[], key: (item: Misconfiguration) => string): Misconfiguration[][] => [
  ...Map.groupBy(items, key).values(),
];

/** Which failed checks of different tools say the same: one class of check, in one file, about one resource. */
export const misconfigurationTies = (items: readonly Misconfiguration[]): Tie[] =>
  groupBy(items, (item) => `${item.checkClass}\n${item.place}`).flatMap((group) => {
    if (group.length > MAX_COMPARED) return [];
    const tools = groupBy(group, (item) => item.tool);
    return tools.flatMap((left, index) => tools.slice(index + 1).flatMap((right) => tieTools(left, right)));
  });
