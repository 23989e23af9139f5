import { describe, expect, it } from 'vitest';
import { usedAfterAll, withoutUnused } from './unused-styles.ts';

describe('styles of components that nobody uses', () => {
  it('go, and with them nothing that can match', () => {
    const css = [
      '.bp6-tree{color:red}',
      '.bp6-button,.bp6-button-group .bp6-button{margin:0}',
      '.bp6-button:not(.bp6-tree):not([class*="bp6-intent-"]){padding:0}',
      '.bp6-treetop{color:red}',
      '.bp6-icon-add::before{content:"+"}',
      '.bp6-icon-large{width:20px}',
      '@media print{.bp6-navbar{display:none}}',
    ];
    expect(withoutUnused(css.join('\n')).replaceAll('\n', '')).toBe(
      '.bp6-button{margin:0}' +
        '.bp6-button:not(.bp6-tree):not([class*="bp6-intent-"]){padding:0}' +
        '.bp6-treetop{color:red}' +
        '.bp6-icon-large{width:20px}',
    );
  });

  it('are missed as soon as a module or a class of theirs is in the application', () => {
    const tree = '/x/node_modules/@blueprintjs/core/lib/esm/components/tree/tree.js';
    expect(usedAfterAll([tree], '')).toEqual(['tree/']);
    expect(usedAfterAll([], 'className:"bp6-toast-message"')).toEqual(['toast/']);
    expect(usedAfterAll(['/x/core/src/components/tree/tree.js'], 'className:"bp6-treetop"')).toEqual([]);
  });
});
