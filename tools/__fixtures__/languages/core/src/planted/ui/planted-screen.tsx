import { msg } from '../../../../../../../core/src/platform/model/message.ts';
import { plural, t } from '../../../../../../../core/src/platform/ui/language/translate.ts';
import { Words } from '../../../../../../../core/src/platform/ui/language/words.tsx';

const EARLY = t('Early');
const COLUMNS = [{ id: 'name', label: 'Bare label' }, { id: 'state', label: msg('State') }];
// no text: ids of licences
const LICENCES = 'MIT License Apache License';

export const Planted = ({ count, name, toasts }: { count: number; name: string; toasts: { show: (text: string) => void } }) => {
  toasts.show('Bare toast');
  toasts.show(`Bare ${name}`);
  if (name === 'Not A Text') console.error('Not a text either');
  return (
    <section className="a-class another-class" aria-label="bare" data-kind="Kind of">
      Bare sentence
      <b title={count > 1 ? 'several' : t('One')}>{t('Wrapped')}</b>
      {plural(count, '{count} finding', '{count} findings')}
      {t('{name} was removed', { name })}
      <Words of="Read <a>the guide</a>." a={(text) => <i>{text}</i>} />
      {COLUMNS.map(({ label }) => t(label))}
      {EARLY}
      {LICENCES}
      GitHub
    </section>
  );
};

export const OPTIONS = COLUMNS.map(({ id }) => ({ id, name: t('Wrapped') }));
