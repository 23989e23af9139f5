import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { GUIDE_PICTURES, readGuide, type Seen } from '../harness/guide.ts';
import { walkDecide, walkDeveloper, walkFind, walkFix, walkImport, walkStart } from '../harness/guide-findings.ts';
import {
  walkClients,
  walkComponents,
  walkConnectors,
  walkDashboard,
  walkFrameworks,
  walkInstallation,
  walkLeaving,
  walkNotifications,
  walkPlans,
  walkPriorities,
  walkRepositories,
  walkTeam,
} from '../harness/guide-organisation.ts';
import { type GuideWalk, type GuideWorld, startGuideWorld, stopGuideWorld } from '../harness/guide-world.ts';
import { stopAfterFailure } from '../harness/journey.ts';

/**
 * docs/user-guide.md is true: each of its sections is walked through by a person, who comes across every text that stands in bold there.
 * BREAKWATER_GUIDE_PICTURES=1 writes its pictures anew.
 */

/** By title of the section. They build on each other, in this order. */
const WALKS: Readonly<Record<string, GuideWalk>> = {
  Start: walkStart,
  'Import reports': walkImport,
  'Find what to fix first': walkFind,
  'Read a finding and decide': walkDecide,
  'Fix and open a pull request': walkFix,
  'Work as a developer': walkDeveloper,
  'Add repositories and scan them': walkRepositories,
  'Connect services': walkConnectors,
  'Look through components and licences': walkComponents,
  'Follow the figures': walkDashboard,
  'Show what frameworks ask for': walkFrameworks,
  'Weigh priorities and due dates': walkPriorities,
  'Manage people and access': walkTeam,
  'Choose what you are told': walkNotifications,
  'Choose a plan': walkPlans,
  'Take data along, and delete it': walkLeaving,
  'Read inside a client (superadmin)': walkClients,
  'Watch the installation (superadmin)': walkInstallation,
};

const sections = await readGuide();
let world: GuideWorld;

describe('each section is walked through', () => {
  beforeAll(async () => {
    world = await startGuideWorld();
  });
  afterAll(() => stopGuideWorld(world));
  afterEach(() => {
    for (const visitor of world.visitors) visitor.assertCalm();
    expect(world.installation.server.errors()).toEqual([]);
  });
  stopAfterFailure();

  test.each(sections)('$title', async ({ title, names, pictures }) => {
    const walk = WALKS[title];
    if (walk === undefined) throw new Error(`No walk of e2e/journeys/user-guide.test.ts is called “${title}”.`);
    const seen: Seen = { names: new Set(), pictures: [] };
    await walk(world, seen);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !seen.names.has(name))).toEqual([]);
    expect(seen.pictures).toEqual(pictures);
  });
});

test('there is a section for each walk', () => {
  expect(sections.map(({ title }) => title)).toEqual(Object.keys(WALKS));
});

/** Bytes. */
const LARGEST_PICTURE = 200_000;

test('the folder has the pictures of the guide, none of them large', async () => {
  const files = (await readdir(GUIDE_PICTURES)).sort();
  expect(files).toEqual(sections.flatMap(({ pictures }) => pictures.map((name) => `${name}.png`)).sort());
  for (const file of files)
    expect((await stat(path.join(GUIDE_PICTURES, file))).size, file).toBeLessThan(LARGEST_PICTURE);
});
