import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { msg } from '../../../platform/model/message.ts';
import { languageOf, t, translated } from '../../../platform/ui/language/translate.ts';
import type { ConnectorItem } from '../data/connector.ts';
import { ViewFrame } from './view-frame.tsx';
import type { ViewEnd } from './view-host.ts';

const ENDS: Record<ViewEnd, string> = {
  flood: msg('The view was closed: it sent too many messages.'),
  stuck: msg('The view was closed: it did not answer for 10 seconds.'),
  left: msg('The view was closed: it tried to lead to another page.'),
};

/**
 * The page that a connector brings, and whose it is. It runs once somebody asks for it: a browser that gives it no process of its own would
 * stand still with it.
 */
export const ConnectorViewSection = observer(function ConnectorViewSection({ item }: { item: ConnectorItem }) {
  const [isShown, setIsShown] = useState(false);
  const [end, setEnd] = useState<ViewEnd>();
  const { view, plugin } = item.attributes;
  if (view === null) return null;
  // at once where the frame has to go: messages of a flood would stand before what React does later
  const turn = (shown: boolean, reason?: ViewEnd) => {
    setIsShown(shown);
    setEnd(reason);
  };
  return (
    <section className="sec view-sec" aria-label={translated(view.title)}>
      <div className="row">
        <h3 className="grow" lang={languageOf(view.title)}>
          {translated(view.title)}
        </h3>
        {isShown ? (
          <Button size="small" text={t('Hide')} onClick={() => turn(false)} />
        ) : (
          <Button size="small" text={t('Show')} onClick={() => turn(true)} />
        )}
      </div>
      {end !== undefined && (
        <p className="t2" role="status">
          {t(ENDS[end])}
        </p>
      )}
      <div className="view-box">
        <p className="small view-origin">
          {t('Shown by the plugin {plugin} of {publisher}, not by Breakwater. Enter no passwords or tokens here.', {
            plugin: plugin.id,
            publisher: plugin.publisher ?? t('an unnamed publisher'),
          })}
        </p>
        {isShown && <ViewFrame item={item} onEnd={(reason) => flushSync(() => turn(false, reason))} />}
      </div>
    </section>
  );
});
