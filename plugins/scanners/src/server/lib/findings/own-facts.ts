import type { Component } from '@breakwater/sdk';
import { isRecord, label, list, text } from '../values/read.ts';

/** What documents of our own say beside the fields of their format. Written by core/src/sbom/server/export/own-facts.ts. */
export type OwnFacts = Record<string, unknown>;

/** Name of what is said of one component. */
export const OWN_COMPONENT = 'breakwater:component';
/** Name of what is said of the whole inventory. `direct`: what its root needs is all that is needed directly. */
export const OWN_INVENTORY = 'breakwater:inventory';

/** Longest licence that is read: an expression of many. */
export const LICENSE_CHARS = 10_000;

/** Undefined for text that is no JSON object. */
export function ownFacts(json: unknown): OwnFacts | undefined {
  if (typeof json !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    // written by somebody else
    return undefined;
  }
}

/** Puts right what the format could not say. What another tool has changed since stays as that tool wrote it. */
export function applyFacts(component: Component, facts: OwnFacts): void {
  for (const key of ['name', 'version', 'group', 'type'] as const) {
    const change = changeOf(facts[key], component[key] ?? null);
    const value = label(change?.meant);
    if (value !== undefined) component[key] = value;
    else if (change?.meant === null && key !== 'name') delete component[key];
  }
  const licenses = changeOf(facts.licenses, component.licenses ?? [])?.meant;
  if (Array.isArray(licenses)) component.licenses = licensesIn(licenses);
  const direct = changeOf(facts.direct, component.direct ?? null)?.meant;
  if (typeof direct === 'boolean') component.direct = direct;
  else if (direct === null) delete component.direct;
}

/** One fact: what the format's own field says, and what is meant. */
function changeOf(pair: unknown, read: unknown): { meant: unknown } | undefined {
  if (!Array.isArray(pair) || pair.length !== 2) return undefined;
  const [said, meant]: unknown[] = pair;
  return JSON.stringify(said) === JSON.stringify(read) ? { meant } : undefined;
}

function licensesIn(value: unknown): string[] {
  return list(value)
    .map((entry) => text(entry, LICENSE_CHARS))
    .filter((entry) => entry !== undefined);
}
