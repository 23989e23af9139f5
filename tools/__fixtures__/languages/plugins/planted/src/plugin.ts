import { defineConnector, definePlugin, monogram } from '@breakwater/sdk';

const planted = defineConnector({
  id: 'planted',
  title: 'Planted',
  category: 'sast',
  image: monogram('Pl'),
  description: 'Finds what was planted.',
});

export const plugin = definePlugin({ id: 'planted', version: '0.1.0', connectors: [planted] });
