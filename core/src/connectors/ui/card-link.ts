/** The title of a card in the catalogue. */
export const cardLink = (address: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-connector="${CSS.escape(address)}"]`);
