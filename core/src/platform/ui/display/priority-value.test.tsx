import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { setFormats } from './formats.ts';
import { PriorityValue } from './priority-value.tsx';

afterEach(() => {
  cleanup();
  setFormats({ language: 'en', numbers: 'en-US', timeZone: undefined });
});

const textOf = (value: number) => render(<PriorityValue value={value} />).container.textContent;

it('shows the points, and only then what decides between equals', () => {
  expect([textOf(90), textOf(54.471), textOf(45.48), textOf(0.005)]).toEqual(['90', '54.471', '45.480', '0.005']);
  expect(document.querySelectorAll('.prio-rest')).toHaveLength(3);
  cleanup();
  setFormats({ language: 'de', numbers: 'de', timeZone: undefined });
  expect(textOf(54.471)).toBe('54,471');
});
