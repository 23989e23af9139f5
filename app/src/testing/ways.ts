import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { OpenedApp } from './whole-app.tsx';

/** One way to come to texts of the error catalogue: what is done in the application, and what the page shows then. */
export interface Way {
  shows: readonly string[];
  reach: () => OpenedApp | Promise<OpenedApp>;
}

export const click = async (name: string | RegExp, role = 'button') =>
  userEvent.click(await screen.findByRole(role, { name }));
export const type = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text);
