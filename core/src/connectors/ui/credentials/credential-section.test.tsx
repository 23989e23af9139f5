import { BlueprintProvider } from '@blueprintjs/core';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { FieldIssue } from '../../../platform/model/app-error.ts';
import { ApiError } from '../../../platform/ui/data/api-error.ts';
import { formatDecimal } from '../../../platform/ui/display/formats.ts';
import { addPluginTexts, setLanguage } from '../../../platform/ui/language/translate.ts';
import { giteaCard } from '../../../testing/browser/connector-cards.ts';
import type { Offers } from '../data/connectors.store.ts';
import { CredentialForm } from './credential-form.store.ts';
import { CredentialSection } from './credential-form.tsx';

afterEach(cleanup);

const SCHEMA = {
  type: 'object',
  required: ['key_file', 'regions'],
  properties: {
    key_file: { type: 'string', writeOnly: true, format: 'multiline', title: 'Key file' },
    passphrase: { type: 'string', writeOnly: true, title: 'Passphrase' },
    verify: { type: 'boolean', title: 'Verify the certificate', default: true },
    regions: { type: 'array', items: { type: 'string' }, maxItems: 2, title: 'Regions' },
    families: { type: 'array', items: { type: 'string', enum: ['SAST', 'SCA'] }, title: 'Families' },
    mapping: { type: 'object', additionalProperties: { type: 'string' }, title: 'Fields' },
    note: { type: 'string', format: 'multiline' },
    rate: { type: 'number', minimum: 0.5, title: 'Rate' },
  },
};

const nothing = { set: false, hint: null, value: null };
const EMPTY = {
  ...Object.fromEntries(Object.keys(SCHEMA.properties).map((name) => [name, nothing])),
  verify: { ...nothing, value: true },
};

const NO_OFFERS = { values: [], is_complete: true };

const show = (
  fields: ReturnType<typeof giteaCard>['attributes']['fields'] = EMPTY,
  isDisabled = false,
  {
    schema = SCHEMA,
    offer = async () => NO_OFFERS,
  }: { schema?: object; offer?: (field: string) => Promise<Offers> } = {},
) => {
  const form = new CredentialForm(giteaCard({ credentials: schema, fields }).attributes);
  let submits = 0;
  const view = render(
    <BlueprintProvider>
      <CredentialSection
        form={form}
        isDisabled={isDisabled}
        onOffer={offer}
        onSubmit={() => {
          submits += 1;
        }}
      />
    </BlueprintProvider>,
  );
  return { form, view, submits: () => submits };
};

describe('the form of a connector', () => {
  it('shows labels, descriptions and choices in the language of the reader, and sends the value as it is', async () => {
    setLanguage('de', { Optional: 'Optional' }, String);
    onTestFinished(() => setLanguage('en', undefined, formatDecimal));
    addPluginTexts({ Region: 'Gegend', 'Where it is.': 'Wo es ist.', north: 'Norden' });
    const region = { type: 'string', title: 'Region', description: 'Where it is.', enum: ['north', 'south'] };
    const schema = { type: 'object', required: ['region'], properties: { region } };
    const { form } = show({ region: nothing }, false, { schema });
    expect(screen.getByText('Wo es ist.')).toBeTruthy();
    await userEvent.selectOptions(screen.getByLabelText('Gegend'), 'Norden');
    expect(form.values()).toEqual({ region: 'north' });
  });

  it('sends every kind of field as its schema has it', async () => {
    const { form } = show();
    await userEvent.type(screen.getByLabelText('Key file'), 'line one{enter}line two');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Verify the certificate' }));
    await userEvent.type(screen.getByLabelText('Regions'), 'eu{enter}{enter} us ');
    await userEvent.click(screen.getByRole('checkbox', { name: 'SCA' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Name 1' }), 'summary');
    await userEvent.type(screen.getByRole('textbox', { name: 'Value 1' }), 'title');
    await userEvent.type(screen.getByRole('textbox', { name: 'Rate' }), '0.75');
    expect(form.validate()).toBe(true);
    expect(form.values()).toEqual({
      key_file: 'line one\nline two',
      verify: false,
      regions: ['eu', 'us'],
      families: ['SCA'],
      mapping: { summary: 'title' },
      rate: 0.75,
    });
  });

  it('is unchanged again when a change is taken back', async () => {
    const { form } = show();
    expect(form.isChanged).toBe(false);
    const toggle = screen.getByRole('checkbox', { name: 'Verify the certificate' });
    await userEvent.click(toggle);
    expect(form.isChanged).toBe(true);
    await userEvent.click(toggle);
    await userEvent.type(screen.getByLabelText('Note'), '  ');
    expect([form.isChanged, form.values()]).toEqual([false, {}]);
  });

  it('keeps what is no number, to be mended', async () => {
    const { form } = show();
    await userEvent.type(screen.getByRole('textbox', { name: 'Rate' }), 'fast');
    form.validate();
    expect(await screen.findByText('Must be a number.')).toBeDefined();
    expect((screen.getByRole('textbox', { name: 'Rate' }) as HTMLInputElement).value).toBe('fast');
  });

  it('adds and removes pairs', async () => {
    const { form } = show({ ...EMPTY, mapping: { ...nothing, set: true, value: { a: '1', b: '2' } } });
    await userEvent.click(screen.getByRole('button', { name: 'Remove row 1' }));
    await userEvent.click(screen.getByRole('button', { name: 'Add row' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Name 2' }), 'c');
    expect(form.values()).toEqual({ mapping: { b: '2', c: '' } });
  });

  it('clears a saved list', async () => {
    const { form } = show({ ...EMPTY, families: { ...nothing, set: true, value: ['SAST'] } });
    await userEvent.click(screen.getByRole('checkbox', { name: 'SAST' }));
    expect(form.values()).toEqual({ families: [] });
  });

  it('deletes an optional secret with the next save, never a required one, and can keep it', async () => {
    const saved = { set: true, hint: null, value: null };
    const { form } = show({ ...EMPTY, key_file: saved, passphrase: saved });
    expect(screen.queryByRole('button', { name: 'Delete Key file' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Delete Passphrase' }));
    expect(form.values()).toEqual({ passphrase: null });
    expect((screen.getByLabelText('Passphrase') as HTMLInputElement).value).toBe('Will be deleted when you save');
    await userEvent.click(screen.getByRole('button', { name: 'Keep' }));
    expect(form.isChanged).toBe(false);
  });

  it('counts a saved secret as filled, and an empty replacement as no change', async () => {
    const saved = { set: true, hint: '3f9a', value: null };
    const { form } = show({ ...EMPTY, key_file: saved, regions: { ...nothing, set: true, value: ['eu'] } });
    await userEvent.click(screen.getByRole('button', { name: 'Replace Key file' }));
    expect([form.validate(), form.isChanged]).toEqual([true, false]);
  });

  it('says on top what belongs to no field', async () => {
    const { form } = show();
    const error = new ApiError({
      status: 409,
      code: 'conflict',
      messages: ['Another check is running.'],
      issues: [],
      requestId: undefined,
      retryAfterSeconds: undefined,
    });
    form.refuse(error);
    expect((await screen.findByRole('alert')).textContent).toBe('Another check is running.');
  });

  it('is submitted, but not while nothing may be changed', () => {
    const formOf = (container: HTMLElement) => container.querySelector('form')!;
    const free = show();
    fireEvent.submit(formOf(free.view.container));
    expect(free.submits()).toBe(1);
    cleanup();
    const closed = show(EMPTY, true);
    fireEvent.submit(formOf(closed.view.container));
    expect(closed.submits()).toBe(0);
    expect(screen.getByRole('textbox', { name: 'Rate' }).hasAttribute('disabled')).toBe(true);
    expect(screen.getByRole('button', { name: 'Add row' }).hasAttribute('disabled')).toBe(true);
  });
});

const TICKETS = {
  type: 'object',
  required: ['project'],
  properties: { project: { type: 'string', title: 'Project', pattern: '^[A-Z]+$', offers: 'ticket-projects' } },
};

const refused = (issues: FieldIssue[] = []) =>
  new ApiError({
    status: 502,
    code: 'upstream_failed',
    messages: ['The token is refused.'],
    issues,
    requestId: 'r',
    retryAfterSeconds: undefined,
  });

describe('a field whose values the service knows', () => {
  const values = [
    { value: 'OPS', label: 'Operations (OPS)' },
    { value: 'SEC', label: 'Security (SEC)' },
  ];

  it('is chosen from what the service answers, with a search', async () => {
    const { form } = show({}, false, { schema: TICKETS, offer: async () => ({ values, is_complete: false }) });
    await userEvent.click(screen.getByRole('button', { name: 'Choose Project' }));
    await userEvent.type(await screen.findByRole('combobox', { name: 'Search Project' }), 'secu');
    expect(screen.getByText('There are more. Type the one that is not listed.')).toBeTruthy();
    await userEvent.click(screen.getByRole('option', { name: 'Security (SEC)' }));
    expect(form.values()).toEqual({ project: 'SEC' });
    expect(screen.getByRole('textbox', { name: 'Project' })).toHaveProperty('value', 'SEC');
  });

  it('can be typed where the service does not answer, and is asked for again', async () => {
    let asked = 0;
    const offer = async () => {
      asked += 1;
      if (asked === 1) throw refused();
      return { values, is_complete: true };
    };
    const { form } = show({}, false, { schema: TICKETS, offer });
    await userEvent.click(screen.getByRole('button', { name: 'Choose Project' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The token is refused.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('option', { name: 'Operations (OPS)' });
    await userEvent.keyboard('{Escape}');
    await userEvent.type(screen.getByRole('textbox', { name: 'Project' }), 'OWN');
    expect(form.values()).toEqual({ project: 'OWN' });
  });

  it('shows what is wrong with another field beside that field', async () => {
    const issues = [{ loc: ['body', 'values', 'project'], msg: 'Must be short.', type: 'maxLength' }];
    show({}, false, { schema: TICKETS, offer: () => Promise.reject(refused(issues)) });
    await userEvent.click(screen.getByRole('button', { name: 'Choose Project' }));
    expect((await screen.findAllByText(/Must be short\./)).length).toBeGreaterThan(0);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Project' })).toBeNull());
  });
});
