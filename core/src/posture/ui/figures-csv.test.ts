import { expect, test } from 'vitest';
import { figuresCsv } from './figures-csv.ts';

test('every figure is a line, quoted, and none a formula', () => {
  const chart = {
    series: [
      { name: 'high', data: [3, 0] },
      { name: 'low', data: [1] },
    ],
    labels: ['shop, "old"', '=cmd()'],
    segments: [],
    total: 4,
  };
  expect(figuresCsv(['Chart', 'Label', 'Series', 'Figure'], [{ title: 'Repositories', chart }])).toBe(
    [
      'Chart,Label,Series,Figure',
      'Repositories,"shop, ""old""",high,3',
      'Repositories,"shop, ""old""",low,1',
      "Repositories,'=cmd(),high,0",
      "Repositories,'=cmd(),low,0",
      '',
    ].join('\r\n'),
  );
});
