import { faultsBefore, type ServiceFaults } from '../answer-faults.ts';
import { startTestService, type TestAnswers, type TestService } from '../test-service.ts';
import { type BareRepository, createBareRepository } from './bare-repository.ts';
import type { FakeTokens } from './fake-oauth.ts';
import type { ServedGit } from './serve-git.ts';

/** A git repository that is made when somebody first asks for its content: most of a long list are only named. */
export interface LazyRepository {
  git(): Promise<BareRepository>;
  remove(): Promise<void>;
}

export function lazyRepository(make: () => Promise<BareRepository>): LazyRepository {
  let made: Promise<BareRepository> | undefined;
  return {
    git: () => {
      made ??= make();
      return made;
    },
    remove: async () => (await made)?.remove(),
  };
}

/** A repository with one commit, of a README, on all of its branches: `main`, `branch-0`, `branch-1` … With no branch it is empty. */
export async function repositoryWithBranches(count: number, readme = '# Repository\n'): Promise<BareRepository> {
  const git = await createBareRepository();
  if (count === 0) return git;
  const first = await git.commitFiles({ branch: 'main', message: 'Begin', files: { 'README.md': readme } });
  const others = Array.from({ length: count - 1 }, (_, index): [string, string] => [`branch-${index}`, first]);
  if (others.length > 0) await git.setBranches(new Map(others));
  return git;
}

/** A source-control provider with what it keeps. */
export interface FakeProvider {
  readonly answer: TestAnswers;
  readonly git: ServedGit;
  readonly tokens: FakeTokens;
  /** Part of every address of each, from which it is cloned. */
  readonly repositories: readonly { server: string }[];
  /** Removes the git repositories. */
  close(): Promise<void>;
}

export type StartedProvider<Fake> = Fake &
  Pick<TestService, 'url' | 'requests'> & {
    /** What goes wrong from now on. */
    readonly faults: ServiceFaults;
  };

/** The fake as a server of its own: API, sign-in pages and git at one address. Its repositories are cloned from there. */
export async function startFakeProvider<Fake extends FakeProvider>(
  fake: Fake,
  { port = 0 }: { readonly port?: number } = {},
): Promise<StartedProvider<Fake>> {
  const faults = faultsBefore(fake.answer);
  const service = await startTestService(faults.answer, { git: fake.git, port });
  for (const repository of fake.repositories) repository.server = service.url.origin;
  const close = async (): Promise<void> => {
    await service.close();
    await fake.close();
  };
  return { ...fake, url: service.url, requests: service.requests, faults, close };
}
