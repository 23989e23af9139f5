import { Button } from '@blueprintjs/core';
import { CaretUp, Trash } from '@blueprintjs/icons';
import { StatusDot, type StatusTone, Time } from '../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../platform/ui/display/formats.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { FEEDBACK_STATUS_LABELS, type FeedbackStatus } from '../model/feedback.ts';
import type { PostItem } from './feedback.store.ts';

const TONES: Record<FeedbackStatus, StatusTone> = {
  open: 'neutral',
  planned: 'accent',
  'in-progress': 'warn',
  done: 'ok',
  declined: 'off',
};

interface PostActs {
  onVote: (item: PostItem, voted: boolean) => void;
  onRemove: (item: PostItem) => void;
  onAnswer: (item: PostItem) => void;
}

function Votes({ item, onVote }: { item: PostItem; onVote: PostActs['onVote'] }) {
  const { attributes } = item;
  const { title, votes } = attributes;
  if (!('has_voted' in attributes)) {
    return (
      <span className="feedback-votes tn" title={plural(votes, '{count} vote', '{count} votes')}>
        <CaretUp aria-hidden={true} />
        {formatNumber(votes)}
        <span className="sr">{plural(votes, '{count} vote', '{count} votes')}</span>
      </span>
    );
  }
  return (
    <button
      type="button"
      className={attributes.has_voted ? 'feedback-votes tn is-voted' : 'feedback-votes tn'}
      aria-pressed={attributes.has_voted}
      aria-label={plural(votes, 'Vote for {title}: {count} vote', 'Vote for {title}: {count} votes', { title })}
      onClick={() => onVote(item, !attributes.has_voted)}
    >
      <CaretUp aria-hidden={true} />
      {formatNumber(votes)}
    </button>
  );
}

/** A post with its votes, what becomes of it, and what one may do. */
export function PostRow({ item, onVote, onRemove, onAnswer }: PostActs & { item: PostItem }) {
  const { attributes } = item;
  const { title, details, status, answer, author, created_at } = attributes;
  return (
    <li className="feedback-post">
      <Votes item={item} onVote={onVote} />
      <div className="feedback-text">
        <h2 className="ttl">{title}</h2>
        {details !== '' && <p className="feedback-long">{details}</p>}
        {answer !== '' && (
          <div className="feedback-answer">
            <p className="muted small">{t('Answer')}</p>
            <p className="feedback-long">{answer}</p>
          </div>
        )}
        <p className="row muted small feedback-facts">
          <StatusDot tone={TONES[status]}>{t(FEEDBACK_STATUS_LABELS[status])}</StatusDot>
          {'client' in attributes && <span>{attributes.client.name}</span>}
          <span>{author.name}</span>
          <Time value={created_at} />
        </p>
      </div>
      {'client' in attributes && (
        <Button text={t('Answer')} aria-label={t('Answer {title}', { title })} onClick={() => onAnswer(item)} />
      )}
      {'is_removable' in attributes && attributes.is_removable && (
        <Button
          variant="minimal"
          icon={<Trash aria-hidden={true} />}
          aria-label={t('Delete: {title}', { title })}
          onClick={() => onRemove(item)}
        />
      )}
    </li>
  );
}
