import { msg } from '../../platform/model/message.ts';
import { MAX_HITS, type PaletteSource } from '../../shell/ui/navigation/palette-source.ts';
import { searchRepositories } from './index.ts';
import { repositoryPath } from './parts/repository-display.tsx';

export const paletteSources: readonly PaletteSource[] = [
  {
    group: msg('Repositories'),
    permission: 'repositories.read',
    find: async ({ api, text, signal }) =>
      (await searchRepositories(api, text.slice(0, 200), signal)).slice(0, MAX_HITS).map(({ _id, attributes }) => ({
        id: _id,
        label: attributes.nickname,
        to: repositoryPath(_id),
      })),
  },
];
