import { msg } from '../../platform/model/message.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import { FeedError } from './feeds.ts';
import type { EpssEntry } from './reference.ts';

/** All scores of one day. */
export interface EpssTable {
  /** ISO day. */
  date: string;
  model: string | undefined;
  size: number;
  /** @param cve in upper case */
  get(cve: string): EpssEntry | undefined;
}

const CVE = /^CVE-(\d{4})-(\d{4,9})$/;

/** A number per CVE, which is a third of the memory of its text. */
const keyOf = (cve: string): number | undefined => {
  const [, year, number] = CVE.exec(cve) ?? [];
  return year === undefined ? undefined : Number(year) * 1e9 + Number(number);
};

const shareOf = (text: string | undefined): number => {
  const value = text === undefined || !/^[\d.]+(e-?\d+)?$/i.test(text) ? Number.NaN : Number(text);
  return value >= 0 && value <= 1 ? value : Number.NaN;
};

interface Columns {
  cve: number;
  probability: number;
  percentile: number;
}

const columnsOf = (line: string): Columns => {
  const names = line.split(',').map((name) => name.trim().toLowerCase());
  const [cve, probability, percentile] = ['cve', 'epss', 'percentile'].map((name) => names.indexOf(name));
  if (
    cve === undefined ||
    probability === undefined ||
    percentile === undefined ||
    Math.min(cve, probability, percentile) < 0
  ) {
    throw new FeedError(msg('It is not an EPSS file: the columns cve, epss and percentile are missing.'));
  }
  return { cve, probability, percentile };
};

interface Line {
  number: number;
  text: string;
}

function* linesOf(text: string): Generator<Line> {
  for (let from = 0, number = 1; from < text.length; number += 1) {
    const end = text.indexOf('\n', from);
    yield { number, text: text.slice(from, text[end - 1] === '\r' ? end - 1 : end) };
    from = end + 1;
  }
}

const headOf = (comments: string): { date: string; model: string | undefined } => {
  const date = /\d{4}-\d{2}-\d{2}/.exec(comments)?.[0];
  if (date === undefined)
    throw new FeedError(msg('It names no date: the first line should read "#model_version:…,score_date:…".'));
  return { date, model: /model_version:([\w.-]+)/.exec(comments)?.[1] };
};

/** Lines read at a time; a file has 280,000. */
const STEP = 1_000;

/** A CVE and its two shares. @throws FeedError that names the line */
const scoreOf = (line: Line, columns: Columns): { key: number; probability: number; percentile: number } => {
  const fields = line.text.split(',');
  const key = keyOf(fields[columns.cve] ?? '');
  const probability = shareOf(fields[columns.probability]);
  const percentile = shareOf(fields[columns.percentile]);
  if (key === undefined || Number.isNaN(probability) || Number.isNaN(percentile)) {
    throw new FeedError(
      sayEnglish('Line {line} is no CVE with a probability and a percentile from 0 to 1.', {
        line: String(line.number),
      }),
    );
  }
  return { key, probability, percentile };
};

const tableOf = (
  comments: string,
  scores: { places: ReadonlyMap<number, number>; shares: readonly number[] },
): EpssTable => {
  const { places } = scores;
  if (places.size === 0) throw new FeedError(msg('It holds no scores.'));
  const { date, model } = headOf(comments);
  const shares = Float64Array.from(scores.shares);
  return {
    date,
    model,
    size: places.size,
    get: (cve) => {
      const place = places.get(keyOf(cve) ?? -1);
      if (place === undefined) return undefined;
      return { probability: shares[place] ?? 0, percentile: shares[place + 1] ?? 0, date };
    },
  };
};

/**
 * Reads the daily EPSS file of FIRST.org: comment lines with model and date, a heading, one CVE a line. All or nothing. Pauses
 * between steps, so that whoever drives it can do something else.
 * @throws FeedError that says what is wrong and where. Source: https://www.first.org/epss/data_stats, 2026-08.
 */
export function* readEpss(text: string): Generator<undefined, EpssTable> {
  if (text !== '' && !text.endsWith('\n')) {
    throw new FeedError(msg('It ends in the middle of a line: the file is not whole.'));
  }
  const places = new Map<number, number>();
  // probability and percentile in turn
  const shares: number[] = [];
  let comments = '';
  let columns: Columns | undefined;
  for (const line of linesOf(text)) {
    if (line.number % STEP === 0) yield;
    if (line.text === '') continue;
    if (columns === undefined) {
      if (line.text.startsWith('#')) comments += line.text;
      else columns = columnsOf(line.text);
      continue;
    }
    const { key, probability, percentile } = scoreOf(line, columns);
    if (places.has(key))
      throw new FeedError(sayEnglish('Line {line} names a CVE for the second time.', { line: String(line.number) }));
    places.set(key, shares.length);
    shares.push(probability, percentile);
  }
  return tableOf(comments, { places, shares });
}
