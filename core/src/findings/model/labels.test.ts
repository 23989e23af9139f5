import { expect, test } from 'vitest';
import { toolLabel } from './labels.ts';

test.each([
  ['bandit', 'Bandit'],
  ['clamav', 'ClamAV'],
  ['tflint', 'TFLint'],
  ['ESLint', 'ESLint'],
  // SARIF names its tool as it likes
  ['constructor', 'constructor'],
  ['__proto__', '__proto__'],
])('the tool %s is shown as %s', (tool, label) => expect(toolLabel(tool)).toBe(label));
