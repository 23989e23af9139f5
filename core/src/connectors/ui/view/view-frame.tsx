import { VIEW_GREETING, type ViewAppearance, type ViewConnection } from '@breakwater/sdk/view';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { basePath } from '../../../platform/api/contract.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { currentLanguage, translated } from '../../../platform/ui/language/translate.ts';
import { THEME } from '../../../platform/ui/page/theme.store.ts';
import { type Connector, type ConnectorItem, titleOf } from '../data/connector.ts';
import { callRouteOf, configOf } from './view-facts.ts';
import { createViewHost, type ViewEnd, type ViewHost } from './view-host.ts';

const FIRST_HEIGHT = 240;

interface FrameProps {
  item: ConnectorItem;
  /** The frame has to go. */
  onEnd: (reason: ViewEnd) => void;
}

interface BridgeParts {
  connector: Connector;
  appearance: ViewAppearance;
  onResize: (height: number) => void;
  onEnd: (reason: ViewEnd) => void;
}

const connectionOf = ({ connector, appearance }: BridgeParts): ViewConnection => ({
  ...appearance,
  connectorId: connector.id,
  title: titleOf(connector),
  state: connector.state,
  config: configOf(connector),
});

interface Bridge {
  host: ViewHost;
  /** The frame's end of the channel; nothing once it was given away. */
  port: MessagePort | undefined;
}

/**
 * The bridge of one frame. It is given away once, to the page that was asked for: one that comes after it gets nothing. The frame is watched from
 * the beginning, as it may flood the window or hang before it has loaded.
 */
const useBridge = (parts: BridgeParts) => {
  const api = useService(API);
  const frame = useRef<HTMLIFrameElement>(null);
  const bridge = useRef<Bridge>(undefined);
  const latest = useRef(parts);
  latest.current = parts;
  const { locale, theme } = parts.appearance;
  useEffect(() => {
    const { port1, port2 } = new MessageChannel();
    const host = createViewHost({
      port: port1,
      isHidden: () => document.hidden,
      connection: () => connectionOf(latest.current),
      call: (name, input) => callRouteOf(api, latest.current.connector.id, { route: name, input }),
      resize: (height) => latest.current.onResize(height),
      end: (reason) => latest.current.onEnd(reason),
    });
    port1.onmessage = ({ data }) => host.heard(data);
    bridge.current = { host, port: port2 };
    const hear = ({ source }: MessageEvent) => {
      if (source !== null && source === frame.current?.contentWindow) host.noise();
    };
    window.addEventListener('message', hear);
    return () => {
      window.removeEventListener('message', hear);
      host.close();
    };
  }, [api]);
  useEffect(() => bridge.current?.host.changed({ locale, theme }), [locale, theme]);
  const greet = (): void => {
    if (bridge.current === undefined) return;
    const { host, port } = bridge.current;
    bridge.current.port = undefined;
    if (port === undefined) host.left();
    // the frame has an opaque origin, which no address names
    else frame.current?.contentWindow?.postMessage(VIEW_GREETING, '*', [port]);
  };
  return { frame, greet };
};

/** What a connector shows, without network, storage, session and a way to the page around it. */
export const ViewFrame = observer(function ViewFrame({ item, onEnd }: FrameProps) {
  const { isDark } = useService(THEME);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const { attributes: connector } = item;
  const appearance = { locale: currentLanguage(), theme: isDark ? 'dark' : 'light' } as const;
  const { frame, greet } = useBridge({ connector, appearance, onResize: setHeight, onEnd });
  return (
    <iframe
      ref={frame}
      className="view-frame"
      title={translated(connector.view?.title ?? '')}
      sandbox="allow-scripts"
      allow=""
      referrerPolicy="no-referrer"
      src={`${basePath()}/connectors/${encodeURIComponent(connector.id)}/view`}
      style={{ height }}
      onLoad={greet}
    />
  );
});
