import type { FindingDetails } from '../finding-detail.store.ts';
import { ScoreWeights } from './score-weights.tsx';

type Part = FindingDetails['priority_parts'][number];

const PART_LABELS: Record<string, string> = {
  severity: 'Severity',
  known_exploited: 'Known exploited',
  epss: 'EPSS',
  exploitability: 'Ease of exploitation',
  data: 'Sensitive data in reach',
  compliance: 'Compliance',
  floor: 'Raised to the floor',
};

/** Shades in the order of the parts that give points: neighbours in the bar always differ. */
const shadesOf = (parts: readonly Part[]): (string | undefined)[] => {
  let given = 0;
  return parts.map((part) => {
    if (part.points === 0) return undefined;
    given += 1;
    return `v${((given - 1) % 5) + 1}`;
  });
};

export const sumOfParts = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + part.points, 0);

export interface ScorePartsProps {
  priority: number;
  parts: readonly Part[];
}

/** "Why this score": one bar of 100 units, one line a part, and the sentence that they add up. */
export function ScoreParts({ priority, parts }: ScorePartsProps) {
  const total = sumOfParts(parts);
  const shades = shadesOf(parts);
  return (
    <div className="score">
      <div className="scorebar" aria-hidden="true">
        {parts.map((part, index) =>
          shades[index] === undefined ? null : (
            <i key={part.key} className={shades[index]} style={{ flexBasis: `${part.points}%` }} />
          ),
        )}
        <i className="rest" />
      </div>
      <ul className="parts">
        {parts.map((part, index) => (
          <li key={part.key}>
            <i className={shades[index] ?? 'hollow'} aria-hidden="true" />
            <span className="part-name">
              {PART_LABELS[part.key] ?? part.key}
              {part.reason !== '' && <span className="muted small">{part.reason}</span>}
            </span>
            <span className="num">
              {part.points} <span className="muted">of {part.of}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="small muted score-sum">
        {total === priority
          ? `The parts add up to ${priority}.`
          : `The parts add up to ${total}; the priority is kept at ${priority}.`}
      </p>
      <ScoreWeights />
    </div>
  );
}
