import { TEXT_FORMATS, type TextFormat } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { msg } from '../../../platform/model/message.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import type { DraftPath } from '../../model/draft-document.ts';
import { Pair, Part, type PartProps } from './builder-part.tsx';
import { DraftChoice, DraftMap, DraftText } from './draft-inputs.tsx';
import { EXAMPLE, NEW_CLOSE, NEW_NOTIFY, NEW_READ, NEW_TICKET } from './examples.ts';
import { Optional } from './optional-part.tsx';
import { RequestFields } from './request-fields.tsx';

const ACTING = ['POST', 'PUT', 'PATCH', 'GET'];
const NOTIFY = ['actions', 'notify'];
const TICKET = ['actions', 'ticket'];

const FORMATS: Readonly<Record<TextFormat, string>> = {
  plain: msg('As it is'),
  markdown: msg('Markdown'),
  slack: msg('Slack mrkdwn'),
  html: msg('HTML'),
};

const Format = observer(function Format({ store, at }: PartProps & { at: DraftPath }) {
  return (
    <DraftChoice
      store={store}
      path={[...at, 'text']}
      label={t('How the service shows texts')}
      options={TEXT_FORMATS.map((value) => ({ value, label: t(FORMATS[value]) }))}
      help={t(
        'Titles come from reports of anybody: they are escaped for this, so that nothing in them is a link or a mention.',
      )}
    />
  );
});

const TicketPlace = observer(function TicketPlace({ store, at }: PartProps & { at: DraftPath }) {
  return (
    <DraftText
      store={store}
      path={[...at, 'at']}
      label={t('Ticket in the answer')}
      isCode={true}
      isOptional={true}
      help={t('Path to the ticket; empty where the answer is the ticket.')}
    />
  );
});

const TicketFields = observer(function TicketFields({ store }: PartProps) {
  return (
    <>
      <Format store={store} at={TICKET} />
      <DraftMap
        store={store}
        path={[...TICKET, 'draft']}
        label={t('What a ticket says')}
        placeholder={EXAMPLE.draft}
        help={t('One field per line, shown to people before it is sent. The requests have it as {name}.', {
          name: '{{draft.title}}',
        })}
      />
      <h3>{t('Find what was made before')}</h3>
      <RequestFields store={store} at={[...TICKET, 'find']} placeholder={EXAMPLE.tickets} />
      <Pair>
        <DraftText
          store={store}
          path={[...TICKET, 'find', 'records']}
          label={t('Tickets in the answer')}
          isCode={true}
          isOptional={true}
          help={t('Path to the list; empty where the answer is the list.')}
        />
        <DraftText
          store={store}
          path={[...TICKET, 'find', 'where']}
          label={t('Only the ticket where')}
          isCode={true}
          isOptional={true}
          help={t('{key} is the key of the ticket.', { key: '$key' })}
        />
      </Pair>
      <h3>{t('Make a ticket')}</h3>
      <RequestFields store={store} at={[...TICKET, 'create']} placeholder={EXAMPLE.tickets} methods={ACTING} />
      <TicketPlace store={store} at={[...TICKET, 'create']} />
      <h3>{t('Fields of the ticket')}</h3>
      <Pair>
        {(['id', 'url'] as const).map((name) => (
          <DraftText key={name} store={store} path={[...TICKET, 'map', name]} label={name} isCode={true} />
        ))}
      </Pair>
      <Pair>
        {(['status', 'isDone'] as const).map((name) => (
          <DraftText
            key={name}
            store={store}
            path={[...TICKET, 'map', name]}
            label={name}
            isCode={true}
            isOptional={name === 'isDone'}
          />
        ))}
      </Pair>
      <Optional store={store} at={[...TICKET, 'read']} label={t('Follow how it stands')} first={NEW_READ}>
        <RequestFields store={store} at={[...TICKET, 'read']} placeholder={EXAMPLE.ticket} />
        <TicketPlace store={store} at={[...TICKET, 'read']} />
      </Optional>
      <Optional
        store={store}
        at={[...TICKET, 'close']}
        label={t('Close it once the finding is fixed')}
        first={NEW_CLOSE}
      >
        <RequestFields store={store} at={[...TICKET, 'close']} placeholder={EXAMPLE.ticket} methods={ACTING} />
      </Optional>
    </>
  );
});

/** What the connector sends: messages and tickets. */
export const SendingPart = observer(function SendingPart({ store }: PartProps) {
  return (
    <Part title={t('What it sends')}>
      <Optional store={store} at={NOTIFY} label={t('Messages to a channel')} first={NEW_NOTIFY}>
        <Format store={store} at={NOTIFY} />
        <RequestFields store={store} at={NOTIFY} placeholder={EXAMPLE.messages} methods={ACTING} />
      </Optional>
      <Optional store={store} at={TICKET} label={t('Tickets')} first={NEW_TICKET}>
        <TicketFields store={store} />
      </Optional>
    </Part>
  );
});
