export const STATES = { open: { label: 'Bare state', order: 1 } };
