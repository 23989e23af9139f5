/** A saved view of the caller, as the server sends it. */
export const SHOWN_VIEW = {
  _id: 's',
  name: 'Mine',
  scope: 'app' as const,
  active: false,
  filters: [{ severity: 'high' }],
  shared: false,
  starred: false,
  own: true,
  owner: 'ada',
  editable: true,
};
