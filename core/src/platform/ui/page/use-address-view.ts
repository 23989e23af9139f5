import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';

/** Asks for another view. @param isTyping whether it takes the place of the last entry in the history, instead of following it. */
export type OnView<View> = (change: Partial<View>, isTyping?: boolean) => void;

export interface AddressView<View> {
  parse: (params: URLSearchParams) => View;
  format: (view: View) => URLSearchParams;
}

/**
 * What a page shows, kept in the query of its address. Changes add up: one that is asked for while the page of the last is still being
 * drawn does not take that one back.
 * @param kind the same object at each call
 */
export const useAddressView = <View>(kind: AddressView<View>): [view: View, onView: OnView<View>] => {
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => kind.parse(params), [params, kind]);
  const latest = useRef(view);
  useLayoutEffect(() => {
    latest.current = view;
  }, [view]);
  const onView = useCallback<OnView<View>>(
    (change, isTyping = false) => {
      latest.current = { ...latest.current, ...change };
      setParams(kind.format(latest.current), { replace: isTyping });
    },
    [setParams, kind],
  );
  return [view, onView];
};
