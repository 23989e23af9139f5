import { createElement } from 'react';
export const element = createElement('p');
