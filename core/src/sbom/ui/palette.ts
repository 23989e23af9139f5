import { msg } from '../../platform/model/message.ts';
import { withVisibleText } from '../../platform/model/visible-text.ts';
import { MAX_HITS, type PaletteSource } from '../../shell/ui/navigation/palette-source.ts';
import { listComponents } from '../api/routes.ts';
import { componentHref } from './list/component-cells.tsx';

/** Those with findings first. */
export const paletteSources: readonly PaletteSource[] = [
  {
    group: msg('Components'),
    permission: 'components.read',
    find: async ({ api, text, signal }) => {
      const query = {
        search: text.slice(0, 200),
        sort_field: 'findings' as const,
        sort: 'desc' as const,
        pagination: { page: 1, pageSize: MAX_HITS },
      };
      const { data } = await api.call(listComponents, { query, signal });
      return withVisibleText(data).map(({ _id, attributes: { name, group, version, repository } }) => ({
        id: _id,
        label: [group === null ? name : `${group}/${name}`, version ?? ''].join(' ').trim(),
        detail: repository,
        to: componentHref(_id),
      }));
    },
  },
];
